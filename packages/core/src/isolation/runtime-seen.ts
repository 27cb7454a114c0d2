import type { KernelReport } from '../container-limits/limit-report.ts'

/** The engine's description of its host and of itself; `kernel` null: it does not tell. */
export type RuntimeSaid = { name: string | null; kernel: string | null; hasUserNamespace: boolean }

/** A container's runtime, as a program in it sees it. */
export type RuntimeSeen = {
  /** The release of the kernel. */
  kernel: string
  /** Whether its host has another kernel; null: not known. */
  isOwnKernel: boolean | null
  isGvisor: boolean
  /** The host's user id of the container's root; null: not known. */
  root: number | null
}

/** gVisor names itself in the first line of its kernel's log; newer versions also in their release. */
const GVISOR = /gvisor/i

export function runtimeSeen({ release, uidMap, kernelLog }: KernelReport, hostsKernel: string | null): RuntimeSeen {
  const kernel = release.trim()
  const isGvisor = GVISOR.test(kernel) || GVISOR.test(kernelLog)
  const differs = kernel === '' || hostsKernel === null ? null : kernel !== hostsKernel
  const isOwnKernel = isGvisor || differs
  // With a kernel of its own, its users are not the host's.
  return { kernel, isOwnKernel, isGvisor, root: isOwnKernel === true ? null : rootIn(uidMap) }
}

/** The lines of `/proc/self/uid_map`: the first user inside, the same user outside, and the number of users. */
function rootIn(uidMap: string): number | null {
  for (const line of uidMap.split('\n')) {
    const [, inside, outside] = /^\s*(\d+)\s+(\d+)\s+\d+\s*$/.exec(line) ?? []
    if (inside === '0') return Number(outside)
  }
  return null
}

/** Runtimes that promise more than the kernel's namespaces, by their usual names. */
const promises: { name: RegExp; what: string; isBroken: (seen: RuntimeSeen) => boolean }[] = [
  { name: /runsc|gvisor|kata/i, what: 'a kernel of their own', isBroken: (seen) => seen.isOwnKernel === false },
  { name: /sysbox/i, what: 'a user namespace', isBroken: ({ root }) => root === 0 },
]

/**
 * The promise of a runtime's name that a container does not keep, as a sentence without its full stop; null: it keeps
 * all. Any program can have any name, so the container has to prove it.
 */
export function brokenPromise(name: string | null, seen: RuntimeSeen): string | null {
  const broken = promises.find((one) => name !== null && one.name.test(name) && one.isBroken(seen))
  if (broken === undefined) return null
  return `containers of the runtime ${name} have to have ${broken.what}, and see ${sightOf(seen)}: look which program the engine has under that name`
}

/** Whether the engine claims a user namespace that a container does not see. */
export const withoutUserNamespace = (
  { hasUserNamespace }: Pick<RuntimeSaid, 'hasUserNamespace'>,
  { root }: RuntimeSeen,
): string | null =>
  hasUserNamespace && root === 0
    ? 'the engine says that containers have a user namespace, and one that looked has none: root in it is root of its host'
    : null

/** For people: the runtime of containers, and its isolation. `seen` null: nobody has looked. */
export function runtimeWords(name: string | null, seen: RuntimeSeen | null): string | null {
  if (name === null && seen === null) return null
  return [`runtime ${name ?? 'not named'}`, ...(seen === null ? [] : [sightOf(seen)])].join(': ')
}

function sightOf({ kernel, isOwnKernel, isGvisor, root }: RuntimeSeen): string {
  if (isGvisor) return `gVisor, a kernel of their own (${kernel})`
  if (isOwnKernel === true) return `a kernel of their own (${kernel})`
  const whose = isOwnKernel === false ? `their host's kernel` : 'a kernel that their engine does not name'
  if (root === null) return whose
  return `${whose}, ${root === 0 ? 'no user namespace' : `a user namespace (their root is user ${root} of the host)`}`
}
