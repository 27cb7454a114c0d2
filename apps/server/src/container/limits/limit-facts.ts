import type { LimitName } from '@beadloom/core/limits/effective-limits.ts'
import type { LimitSource } from '@beadloom/core/limits/ineffective-limits.ts'

/** What of Docker's `info` is about limits. Any may be missing. */
export type LimitInfo = {
  ServerVersion?: string
  Name?: string
  KernelVersion?: string
  CgroupVersion?: string
  SecurityOptions?: string[] | null
  /** Podman's word; Docker has it among the security options. */
  Rootless?: boolean
  MemoryLimit?: boolean
  SwapLimit?: boolean
  PidsLimit?: boolean
  CpuCfsQuota?: boolean
}

/**
 * `engine` tells it from others, and from what it was before an upgrade. `unlimited`: what it says itself that it cannot
 * limit.
 */
export type LimitFacts = { engine: string; unlimited: LimitName[]; limitSource: LimitSource }

export function limitFacts(info: LimitInfo): LimitFacts {
  const { ServerVersion, Name, KernelVersion, CgroupVersion, SecurityOptions } = info
  const rootless = info.Rootless ?? SecurityOptions?.some((option) => option.startsWith('name=rootless')) ?? false
  const cgroups = CgroupVersion === '1' ? 1 : CgroupVersion === '2' ? 2 : null
  const can = {
    memory: info.MemoryLimit,
    swap: info.SwapLimit ?? false,
    processes: info.PidsLimit,
    cpus: info.CpuCfsQuota,
  } as const
  return {
    engine: JSON.stringify([ServerVersion, Name, KernelVersion, CgroupVersion, rootless]),
    unlimited: (['memory', 'swap', 'processes', 'cpus'] as const).filter((name) => can[name] === false),
    limitSource: { rootless, cgroups },
  }
}
