import { placeOf, type Controller, type Place } from './cgroup-place.ts'
import type { LimitFile, LimitReport } from './limit-report.ts'

/** In the order of messages to people. */
export const limitNames = ['memory', 'swap', 'processes', 'cpus', 'openFiles', 'fileSize', 'coreSize'] as const
export type LimitName = (typeof limitNames)[number]

/** Memory, swap and sizes of files in bytes, CPUs as a number of processors. `Infinity`: there is no limit. */
export type ContainerLimits = Record<LimitName, number>
/** `null`: not visible inside. */
export type EffectiveLimits = Record<LimitName, number | null>

/** "No limit" of version 1 is the largest number of pages, in bytes: about 2^63. No machine has an exbibyte. */
const NO_LIMIT_BYTES = 2 ** 60

/** The limits that act on the program that wrote the report: the least of its own cgroup's and its parents'. */
export function effectiveLimits(report: LimitReport): EffectiveLimits {
  const hard = (name: string) => hardLimit(report.limits, name)
  return {
    memory: leastIn(report, 'memory', memoryOf),
    swap: atMost(leastIn(report, 'memory', swapOf), swapOfMachine(report.meminfo)),
    processes: leastIn(report, 'pids', ({ read }) => numberIn(read('pids.max'))),
    cpus: leastIn(report, 'cpu', cpusOf),
    openFiles: hard('open files'),
    fileSize: hard('file size'),
    coreSize: hard('core file size'),
  }
}

/** One folder of a cgroup hierarchy. */
type Folder = { version: Place['version']; read: (file: LimitFile) => string | undefined }

/** A folder without the file has no limit: the root of a hierarchy, or one whose controller is turned off. */
function leastIn(report: LimitReport, controller: Controller, valueOf: (folder: Folder) => number | null) {
  const place = placeOf(controller, report)
  if (!place) return null
  const values = place.folders.map((folder) =>
    valueOf({ version: place.version, read: (file) => report.files[`${folder}/${file}`] }),
  )
  return values.reduce<number | null>((least, value) => (value === null ? null : atMost(least, value)), Infinity)
}

const atMost = (value: number | null, most: number): number | null => (value === null ? null : Math.min(value, most))

const memoryOf = ({ version, read }: Folder): number | null =>
  bytesIn(read(version === 1 ? 'memory.limit_in_bytes' : 'memory.max'))

/** Version 1 limits memory and swap together. */
function swapOf(folder: Folder): number | null {
  const { version, read } = folder
  if (version === 2) return bytesIn(read('memory.swap.max'))
  const [memory, both] = [memoryOf(folder), bytesIn(read('memory.memsw.limit_in_bytes'))]
  if (memory === null || both === null) return null
  return both === Infinity ? Infinity : Math.max(0, both - memory)
}

function cpusOf({ version, read }: Folder): number | null {
  const [quota, period] =
    version === 1 ? [read('cpu.cfs_quota_us'), read('cpu.cfs_period_us')] : (read('cpu.max')?.trim().split(' ') ?? [])
  const [most, of] = [numberIn(quota), numberIn(period)]
  if (most === Infinity) return Infinity
  return most === null || of === null || of === 0 ? null : most / of
}

/** A missing file, `max` and -1 are no limit; null: it is no number. */
function numberIn(text: string | undefined): number | null {
  const said = text?.trim() ?? 'max'
  if (said === 'max' || said === '-1') return Infinity
  return /^\d+$/.test(said) ? Number(said) : null
}

function bytesIn(text: string | undefined): number | null {
  const bytes = numberIn(text)
  return bytes !== null && bytes >= NO_LIMIT_BYTES ? Infinity : bytes
}

/** A machine without swap needs no limit for it. */
function swapOfMachine(meminfo: string): number {
  const kib = /^SwapTotal:\s+(\d+) kB$/m.exec(meminfo)?.[1]
  return kib === undefined ? Infinity : Number(kib) * 1024
}

function hardLimit(limits: string, name: string): number | null {
  const said = new RegExp(`^Max ${name}\\s+\\S+\\s+(\\S+)`, 'm').exec(limits)?.[1]
  return said === 'unlimited' ? Infinity : said === undefined ? null : numberIn(said)
}
