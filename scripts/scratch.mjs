import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The type of tmpfs in statfs(2). */
const TMPFS = 0x01021994
/** Far more than the tests use at a time: their processes share it. */
const LEAST_BYTES = 6 * 1024 ** 3

/**
 * A folder in memory for the temporary files of tests: databases and repositories by the thousand, on which a disk
 * costs a quarter of their time. Null if there is none, if it is small, or if programs cannot run in it; then the tests
 * write to the usual place.
 */
export function openScratch() {
  let folder = null
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    const bytes = Math.min(bavail * bsize, process.availableMemory?.() ?? 0)
    if (type !== TMPFS || bytes < LEAST_BYTES) return null
    folder = mkdtempSync(join(MEMORY, 'bl-')) // short: the paths of sockets have little room
    chmodSync(folder, 0o755) // a container's user must be able to enter
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    process.once('exit', () => closeScratch(folder)) // also after Ctrl-C
    return folder
  } catch {
    closeScratch(folder)
    return null
  }
}

export function closeScratch(folder) {
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
}
