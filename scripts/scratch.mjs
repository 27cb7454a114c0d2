import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** What statfs(2) says of tmpfs. */
const TMPFS = 0x01021994
/** Far more than the tests have at a time: it is shared with their processes. */
const LEAST_BYTES = 6 * 1024 ** 3

/**
 * A folder in memory for what tests write and throw away again: databases and repositories by the thousand, for which a
 * disk costs a quarter of their time. Null where there is none, where it is small, or where programs cannot be run in it;
 * then the tests write where they always can.
 */
export function openScratch() {
  let folder = null
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    const bytes = Math.min(bavail * bsize, process.availableMemory?.() ?? 0)
    if (type !== TMPFS || bytes < LEAST_BYTES) return null
    folder = mkdtempSync(join(MEMORY, 'bl-')) // short: the paths of sockets have little room
    chmodSync(folder, 0o755) // a container's user has to come through
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
