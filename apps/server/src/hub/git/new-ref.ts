import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { clashesWithPacked } from '@beadloom/core/project/packed-refs.ts'

/** Where git keeps refs in another way than in files, HEAD names a branch that cannot exist. */
const ELSEWHERE = 'ref: refs/heads/.invalid\n'

/**
 * Makes a ref that is not there yet, by git's own protocol for its files: its lock is created, which only one process can,
 * then looked whether the ref exists, and the lock becomes the ref. To start a git for it takes the server's main thread
 * ten times as long, and holds an agent's start up.
 *
 * True: it was made, and is on the disk. False: that is git's to do, or to refuse; nothing has changed.
 *
 * @param ref a full name that git would take, which the caller has seen to
 * @param commit an id that is in the clone, which the caller has seen to
 */
export async function makeRef(gitDir: string, ref: string, commit: string): Promise<boolean> {
  const prepared = join(gitDir, `beadloom-ref-${randomUUID()}`)
  try {
    if ((await readFile(join(gitDir, 'HEAD'), 'utf8')) === ELSEWHERE) return false
    await writeDurably(prepared, `${commit}\n`)
    return take(gitDir, ref, prepared)
  } catch {
    return false
  } finally {
    await rm(prepared, { force: true })
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o644)
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Without a turn of the event loop: a server that is killed with the lock in its hands would leave it for ever. */
function take(gitDir: string, ref: string, prepared: string): boolean {
  const path = join(gitDir, ref)
  const lock = `${path}.lock`
  mkdirSync(dirname(path), { recursive: true })
  linkSync(prepared, lock)
  try {
    if (existsSync(path) || isPacked(packedRefs(gitDir), ref)) throw new Error(`${ref} is taken`)
    renameSync(lock, path)
    return true
  } catch {
    rmSync(lock, { force: true }) // ours still: it became no ref
    return false
  }
}

function packedRefs(gitDir: string): string {
  const path = join(gitDir, 'packed-refs')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Whether it is there, or cannot be beside one that is. Among the loose ones the file system sees to it. */
const isPacked = (packed: string, ref: string): boolean =>
  packed.includes(` ${ref}\n`) || clashesWithPacked(packed, ref)
