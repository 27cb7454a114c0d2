import type { LimitName } from '@beadloom/core/container-limits/effective-limits.ts'
import type { RuntimeSaid } from '@beadloom/core/isolation/runtime-seen.ts'
import type { LimitSource } from '@beadloom/core/container-limits/ineffective-limits.ts'

/** The fields of Docker's `info` about limits and runtimes. Any may be missing. */
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
  DefaultRuntime?: string
}

/**
 * `engine` tells it from others, and from itself before an upgrade. `unlimited`: limits that the engine says it cannot
 * set. `runtime`: that of containers, the requested one or the engine's own.
 */
export type LimitFacts = { engine: string; unlimited: LimitName[]; limitSource: LimitSource; runtime: RuntimeSaid }

/** `asked`: the runtime that containers get; null: the engine's own. */
export function limitFacts(info: LimitInfo, asked: string | null = null): LimitFacts {
  const { ServerVersion, Name, KernelVersion, CgroupVersion, SecurityOptions } = info
  const rootless = info.Rootless ?? SecurityOptions?.some((option) => option.startsWith('name=rootless')) ?? false
  const cgroups = CgroupVersion === '1' ? 1 : CgroupVersion === '2' ? 2 : null
  const name = asked ?? info.DefaultRuntime ?? null
  const hasUserNamespace = rootless || (SecurityOptions?.some((option) => option.startsWith('name=userns')) ?? false)
  const can = {
    memory: info.MemoryLimit,
    swap: info.SwapLimit ?? false,
    processes: info.PidsLimit,
    cpus: info.CpuCfsQuota,
  } as const
  return {
    engine: JSON.stringify([ServerVersion, Name, KernelVersion, CgroupVersion, rootless, name, hasUserNamespace]),
    unlimited: (['memory', 'swap', 'processes', 'cpus'] as const).filter((name) => can[name] === false),
    limitSource: { rootless, cgroups },
    runtime: { name, kernel: KernelVersion ?? null, hasUserNamespace },
  }
}
