import { z } from 'zod/mini'

/** The files with the limits that act; each exists in only one version of cgroups. */
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

/** Texts that identify the kernel: its release, `/proc/self/uid_map` and the first line of its log; '' if missing. */
const KernelReport = z.object({ release: text, uidMap: text, kernelLog: text })
export type KernelReport = z.infer<typeof KernelReport>

/**
 * The kernel's files as a program in a container has read them. `cgroup`, `mountinfo` and `limits` are from
 * `/proc/self`, `meminfo` from `/proc`; '' if missing. `files`: existing ones of `limitFiles`, by path. `loopbackIpv6`:
 * '1' if the container's loopback has IPv6 switched off, '0' if it has it, '' if the kernel has no IPv6.
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
