import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { clashesWithPacked } from '@beadloom/core/project/packed-refs.ts'

/** If git does not keep refs in files, HEAD names a branch that cannot exist. */
const ELSEWHERE = 'ref: refs/heads/.invalid\n'

/**
 * Makes a new ref by git's own protocol for its files: creates its lock, which only one process can, then looks whether
 * the ref exists, and renames the lock to the ref. Starting a git for it takes the server's main thread ten times as
 * long, and delays an agent's start.
 *
 * True: it was made, and is on the disk. False: git has to make or refuse it; nothing has changed.
 *
 * @param ref a full name that git accepts; the caller has checked it
 * @param commit an id that is in the clone; the caller has checked it
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

/** Without a turn of the event loop: a server killed while it holds the lock would leave it for ever. */
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
    rmSync(lock, { force: true }) // still ours: it became no ref
    return false
  }
}

function packedRefs(gitDir: string): string {
  const path = join(gitDir, 'packed-refs')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Whether it exists, or an existing ref rules it out. For loose refs the file system prevents both. */
const isPacked = (packed: string, ref: string): boolean =>
  packed.includes(` ${ref}\n`) || clashesWithPacked(packed, ref)
