// Twelve data sets of a sweep, a task for each, in one folder that all machines share.
//
//   nextflow run main.nf --scene sweep.toml --out benchmark

params.scene = "${projectDir}/sweep.toml"
params.out = "benchmark"
params.shards = 12

process shard {
    cpus 1
    memory '2 GB'
    errorStrategy { task.exitStatus == 7 ? 'retry' : 'finish' }  // 7: it was told to stop
    maxRetries 10

    input:
    val number
    path scene

    output:
    val number

    script:
    """
    synthoscope simulate ${scene} -o ${file(params.out).toAbsolutePath()} \
        --shard ${number}/${params.shards} --threads ${task.cpus} \
        --memory ${(task.memory.toMega() * 0.9) as int}M --quiet
    """
}

process whole {
    input:
    val numbers

    output:
    stdout

    script:
    """
    synthoscope finalize ${file(params.out).toAbsolutePath()}
    """
}

workflow {
    shard(Channel.of(1..params.shards), file(params.scene))
    whole(shard.out.collect()) | view
}
