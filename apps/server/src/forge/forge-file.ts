import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/mini'
import { describeIssue } from '@beadloom/core/project/project-config.ts'
import { ForgeError } from '../ports/forge.ts'
import type { Clock } from '../process/clock.ts'
import { withoutEnd } from './forge-text.ts'

/** One forge of the file: a token, or the name of the variable of the server's environment that holds it. */
export type ForgeEntry = z.infer<typeof Entry>
export type ForgeEntries = Readonly<Record<string, ForgeEntry>>

/** Longer is no token, and would not fit into a header. */
const LONGEST_TOKEN = 1024
const MOST_BYTES = 256 * 1024
const OTHERS_MAY = 0o077

/** A header could not hold anything else, and the error about that would quote it. */
export const isToken = (text: string): boolean => text.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(text)

/** Capital letters alone: a token that was put in its place is told by its small ones. */
export const isVariable = (text: string): boolean => /^[A-Z_][A-Z0-9_]{0,99}$/.test(text)

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
/** A host in small letters, with its port where that is not the usual one. */
export const isHost = (text: string): boolean => HOST.test(text)

// Every message is written here: zod's own would quote what was found, and that may be a token.
const Entry = z.strictObject(
  {
    kind: z.enum(['github', 'gitlab', 'gitea'], 'must be "github", "gitlab" or "gitea"'),
    token: z.optional(z.string('must be a text').check(z.refine(isToken, 'is no token: it holds a space or the like'))),
    tokenFrom: z.optional(
      z.string('must be a text').check(z.refine(isVariable, 'must be the name of a variable, in capital letters')),
    ),
    url: z.optional(
      z.string('must be a text').check(z.refine((text) => webAddress(text) !== null, 'must be an https address')),
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
      error:
        '"url" is plain http, which would show the token to everybody between: use https, or add "plainHttp": true',
    }),
  ),
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with a host as each key' : undefined) },
)

export const forgeFilePath = (data: string): string => join(data, 'forges.json')

/** Without user, query and the slash at its end; null where it is no web address. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.username || url.password) return null
  if (url.search !== '' || url.hash !== '') return null
  return url.origin + withoutEnd(url.pathname, '/')
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a token may go there: over https, to this machine, or where a person said so. */
export function mayBeAsked(url: string | undefined, plainHttp: boolean): boolean {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed?.protocol !== 'http:' || plainHttp || LOOPBACK.test(parsed.hostname)
}

/** Read anew each time: it is small, and a token that was changed counts at once. Throws ForgeError. */
export function readForgeFile(data: string): ForgeEntries {
  const path = forgeFilePath(data)
  const text = readOwn(path)
  if (text === null) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // V8's message quotes the place, which may be the token.
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
    file = openSync(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw unusable(path, `cannot be read (${codeOf(error)})`, 'let the user who runs the server read it')
  }
  try {
    const { mode, size } = fstatSync(file)
    if ((mode & OTHERS_MAY) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0')
      throw unusable(
        path,
        `may be read by others (mode ${shown})`,
        `chmod 600 ${path}, and think of its tokens as known`,
      )
    }
    if (size > MOST_BYTES) throw unusable(path, 'is far too long', 'correct it by hand')
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ForgeError) throw error
    throw unusable(path, `cannot be read (${codeOf(error)})`, 'let the user who runs the server read it')
  } finally {
    closeSync(file)
  }
}

const unusable = (path: string, why: string, what: string): ForgeError =>
  new ForgeError('no-token', `the file of tokens ${path} ${why}: ${what}. No forge is asked meanwhile.`)

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? 'an unknown error'

/** A command that was killed in the middle leaves its lock; nobody else holds one that long. */
const STALE_LOCK_MS = 10_000
const LOOK_AGAIN_MS = 50

/** Reads, edits and writes as one step: of two commands at the same time, each finds what the other has written. */
export async function changeForgeFile(
  data: string,
  clock: Clock,
  edit: (entries: ForgeEntries) => ForgeEntries,
): Promise<void> {
  const lock = `${forgeFilePath(data)}.lock`
  while (!(await taken(lock))) {
    const since = (await stat(lock).catch(() => null))?.mtimeMs
    if (since !== undefined && Math.abs(clock.now() - since) > STALE_LOCK_MS) await rm(lock, { force: true })
    else await clock.sleep(LOOK_AGAIN_MS)
  }
  try {
    await writeForgeFile(data, edit(readForgeFile(data)))
  } finally {
    await rm(lock, { force: true })
  }
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

/** Replaced whole: a reader sees the old one or the new one, and a full disk leaves the old one. */
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
