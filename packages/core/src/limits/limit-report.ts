import { z } from 'zod/mini'

/** The files that say which limits act; each is there in one version of cgroups or the other. */
export const limitFiles = [
  'memory.max',
  'memory.swap.max',
  'pids.max',
  'cpu.max',
  'memory.limit_in_bytes',
  'memory.memsw.limit_in_bytes',
  'cpu.cfs_quota_us',
  'cpu.cfs_period_us',
] as const
export type LimitFile = (typeof limitFiles)[number]

const text = z.string().check(z.maxLength(65_536))

/** Texts that say whose kernel it is: its release, `/proc/self/uid_map` and the first of its log; '' where there is none. */
const KernelReport = z.object({ release: text, uidMap: text, kernelLog: text })
export type KernelReport = z.infer<typeof KernelReport>

/**
 * What a program in a container has read of the kernel: texts of files. `cgroup`, `mountinfo` and `limits` are those of
 * `/proc/self`, `meminfo` is of `/proc`; '' where there is none. `files`: by path, those of `limitFiles` that are there. `loopbackIpv6`:
 * '1' where the kernel has IPv6 and the container's loopback has it switched off, '0' where it has it, '' where the kernel has none.
 */
export const LimitReport = z.object({
  cgroup: text,
  mountinfo: text,
  meminfo: text,
  limits: text,
  files: z.record(z.string(), text),
  loopbackIpv6: z.optional(text),
  kernel: z.optional(KernelReport),
})
export type LimitReport = z.infer<typeof LimitReport>
