import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/mini'
import { describeIssue } from '@beadloom/core/settings/config-error.ts'
import { ForgeError, forgeKinds } from '../ports/forge.ts'
import type { Clock } from '../process/clock.ts'
import { otherThanFile } from '../process/plain-file.ts'
import { anyKind } from './forge-kinds.ts'
import { withoutEnd } from './forge-text.ts'

/** One forge in the file: a token, or the name of the environment variable that has it. */
export type ForgeEntry = z.infer<typeof Entry>
export type ForgeEntries = Readonly<Record<string, ForgeEntry>>

/** A longer text is not a token, and would not fit into a header. */
const LONGEST_TOKEN = 1024
const MOST_BYTES = 256 * 1024
const OTHERS_MAY = 0o077

/** Whether a header can hold it: Node's error about anything else would quote it. */
export const isToken = (text: string): boolean => text.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(text)

/** Capital letters only: a token pasted here by mistake has small ones and is noticed. */
export const isVariable = (text: string): boolean => /^[A-Z_][A-Z0-9_]{0,99}$/.test(text)

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
/** A host in lower case, with its port if that is not the default. */
export const isHost = (text: string): boolean => HOST.test(text)

// Every message is our own: zod's would quote the value, which may be a token.
const Entry = z.strictObject(
  {
    kind: z.enum(forgeKinds, `must be ${anyKind((kind) => `"${kind}"`)}`),
    token: z.optional(
      z
        .string('must be a string')
        .check(z.refine(isToken, 'is not a token: it contains a space or another character that no token has')),
    ),
    tokenFrom: z.optional(
      z.string('must be a string').check(z.refine(isVariable, 'must be the name of a variable, in capital letters')),
    ),
    url: z.optional(
      z.string('must be a string').check(z.refine((text) => webAddress(text) !== null, 'must be an https address')),
    ),
    plainHttp: z.optional(z.boolean('must be true or false')),
  },
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with "kind" and "token"' : undefined) },
)
const File = z.record(
  z.string().check(z.refine(isHost, 'must be a host')),
  Entry.check(
    z.refine(({ token, tokenFrom }) => token === undefined || tokenFrom === undefined, {
      error: 'give "token" or "tokenFrom", not both',
    }),
    z.refine(({ url, plainHttp }) => mayBeAsked(url, plainHttp === true), {
      error: '"url" is plain http, which would expose the token on its way: use https, or add "plainHttp": true',
    }),
  ),
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with a host as each key' : undefined) },
)

export const forgeFilePath = (data: string): string => join(data, 'forges.json')

/** The address without a trailing slash; null for anything but a plain web address (no user, query or fragment). */
export function webAddress(text: string): string | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.username || url.password) return null
  if (url.search !== '' || url.hash !== '') return null
  return url.origin + withoutEnd(url.pathname, '/')
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a token may be sent there: over https, to this machine, or if a person allowed plain http. */
export function mayBeAsked(url: string | undefined, plainHttp: boolean): boolean {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed?.protocol !== 'http:' || plainHttp || LOOPBACK.test(parsed.hostname)
}

/** Reads the file anew each time: it is small, and a changed token takes effect at once. Throws ForgeError. */
export function readForgeFile(data: string): ForgeEntries {
  const path = forgeFilePath(data)
  const text = readOwn(path)
  if (text === null) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // V8's message quotes the text, which may be the token.
    throw unusable(path, 'is not JSON', 'correct it by hand, or delete it and use "beadloom forge add" for each host')
  }
  const parsed = File.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.slice(0, 5).map(describeIssue).join('; ')
  throw unusable(path, `has problems: ${problems}`, 'correct it by hand, or use "beadloom forge add HOST"')
}

function readOwn(path: string): string | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) // a pipe would block the whole server
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw unusable(path, `cannot be read (${codeOf(error)})`, 'let the user who runs the server read it')
  }
  try {
    const found = fstatSync(file)
    const { mode, size } = found
    const other = otherThanFile(found)
    if (other !== null) throw unusable(path, `is ${other} and not a file`, 'move it away')
    if ((mode & OTHERS_MAY) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0')
      throw unusable(
        path,
        `may be read by others (mode ${shown})`,
        `chmod 600 ${path}, and replace its tokens, which others may have read`,
      )
    }
    if (size > MOST_BYTES) throw unusable(path, 'is far too large', 'correct it by hand')
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ForgeError) throw error
    throw unusable(path, `cannot be read (${codeOf(error)})`, 'let the user who runs the server read it')
  } finally {
    closeSync(file)
  }
}

const unusable = (path: string, why: string, what: string): ForgeError =>
  new ForgeError('no-token', `the token file ${path} ${why}: ${what}. Until then no forge is used.`)

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? 'an unknown error'

/** An older lock was left by a killed command. */
const STALE_LOCK_MS = 10_000
const LOOK_AGAIN_MS = 50

/** Reads, edits and writes in one step, so that two commands at the same time do not undo each other's changes. */
export async function changeForgeFile(
  data: string,
  clock: Clock,
  edit: (entries: ForgeEntries) => ForgeEntries,
): Promise<void> {
  const lock = `${forgeFilePath(data)}.lock`
  while (!(await taken(lock))) if (!(await removeStale(lock, clock))) await clock.sleep(LOOK_AGAIN_MS)
  try {
    await writeForgeFile(data, edit(readForgeFile(data)))
  } finally {
    await rm(lock, { force: true })
  }
}

/**
 * If several wait, only one at a time may remove a stale lock, after another look: otherwise the second would remove
 * the first one's new lock. True if there is no stale lock any more.
 */
async function removeStale(lock: string, clock: Clock): Promise<boolean> {
  const removing = `${lock}.stale`
  if (!(await isStale(lock, clock))) return false
  if (!(await taken(removing))) {
    if (await isStale(removing, clock)) await rm(removing, { force: true }) // killed within the next two lines
    return false
  }
  try {
    if (await isStale(lock, clock)) await rm(lock, { force: true })
    return true
  } finally {
    await rm(removing, { force: true })
  }
}

async function isStale(lock: string, clock: Clock): Promise<boolean> {
  const since = (await stat(lock).catch(() => null))?.mtimeMs
  return since !== undefined && Math.abs(clock.now() - since) > STALE_LOCK_MS
}

async function taken(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Replaces the whole file: a reader sees the old or the new one, and a full disk keeps the old one. */
export async function writeForgeFile(data: string, entries: ForgeEntries): Promise<void> {
  const path = forgeFilePath(data)
  const part = `${path}.${randomUUID()}.part`
  try {
    const file = await open(part, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(entries, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
}
