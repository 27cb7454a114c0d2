import type { KernelReport } from '../limits/limit-report.ts'

/** `said`: what the engine says of its own host and of itself; `kernel` null: it does not say. */
export type RuntimeSaid = { name: string | null; kernel: string | null; hasUserNamespace: boolean }

/** A container's runtime, as a program in it sees it. */
export type RuntimeSeen = {
  /** The release of the kernel. */
  kernel: string
  /** Whether that is another one than its host has; null: it cannot be told. */
  isOwnKernel: boolean | null
  isGvisor: boolean
  /** Which user of the host root in the container is; null: it cannot be told. */
  root: number | null
}

/** gVisor says so in the first line of its kernel's log, and newer ones in their release as well. */
const GVISOR = /gvisor/i

export function runtimeSeen({ release, uidMap, kernelLog }: KernelReport, hostsKernel: string | null): RuntimeSeen {
  const kernel = release.trim()
  const isGvisor = GVISOR.test(kernel) || GVISOR.test(kernelLog)
  const differs = kernel === '' || hostsKernel === null ? null : kernel !== hostsKernel
  const isOwnKernel = isGvisor || differs
  // Another kernel's users are none of the host's.
  return { kernel, isOwnKernel, isGvisor, root: isOwnKernel === true ? null : rootIn(uidMap) }
}

/** The lines of `/proc/self/uid_map`: the first user within, the same one outside, and how many follow. */
function rootIn(uidMap: string): number | null {
  for (const line of uidMap.split('\n')) {
    const [, inside, outside] = /^\s*(\d+)\s+(\d+)\s+\d+\s*$/.exec(line) ?? []
    if (inside === '0') return Number(outside)
  }
  return null
}

/** By their usual names: runtimes that promise more than the kernel's namespaces. */
const promises: { name: RegExp; what: string; isBroken: (seen: RuntimeSeen) => boolean }[] = [
  { name: /runsc|gvisor|kata/i, what: 'a kernel of their own', isBroken: (seen) => seen.isOwnKernel === false },
  { name: /sysbox/i, what: 'a user namespace', isBroken: ({ root }) => root === 0 },
]

/**
 * Says what a container lacks that its runtime's name promises, in a sentence without the last full stop; null: nothing is
 * missing. Any program can be given any name, so the container has to show what is promised.
 */
export function brokenPromise(name: string | null, seen: RuntimeSeen): string | null {
  const broken = promises.find((one) => name !== null && one.name.test(name) && one.isBroken(seen))
  if (broken === undefined) return null
  return `containers of the runtime ${name} have to have ${broken.what}, and see ${sightOf(seen)}: look which program the engine has under that name`
}

/** The engine says that there is one, and a container does not see it. */
export const withoutUserNamespace = (
  { hasUserNamespace }: Pick<RuntimeSaid, 'hasUserNamespace'>,
  { root }: RuntimeSeen,
): string | null =>
  hasUserNamespace && root === 0
    ? 'the engine says that containers have a user namespace, and one that looked has none: root in it is root of its host'
    : null

/** For people: what runs containers, and how far it keeps them apart. `seen` null: nobody has looked. */
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
