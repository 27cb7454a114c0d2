import type Docker from 'dockerode'
import type { ContainerLimits } from '@beadloom/core/container-limits/effective-limits.ts'

/** The limits in a container's configuration. Docker's `MemorySwap` is memory and swap together. */
export function askedLimits({ HostConfig }: { HostConfig: Docker.HostConfig }): ContainerLimits {
  const { Memory = 0, MemorySwap = 0, PidsLimit, NanoCpus = 0, Ulimits = [] } = HostConfig
  const ulimit = (name: string): number => Ulimits.find(({ Name }) => Name === name)?.Hard ?? Infinity
  return {
    memory: Memory,
    swap: MemorySwap - Memory,
    processes: PidsLimit ?? Infinity,
    cpus: NanoCpus / 1e9,
    openFiles: ulimit('nofile'),
    fileSize: ulimit('fsize'),
    coreSize: ulimit('core'),
  }
}
