import { messageOf } from '@beadloom/core/text/message-of.ts'
import { join } from 'node:path'
import { UnusableFile, readPlainFile } from '../process/plain-file.ts'
import { CHALLENGE_HEADER, isProof, newChallenge } from '../process/server-proof.ts'
import { UserError } from '../process/user-error.ts'

const MOST_BYTES = 4096

/** Written by a running server into its data folder, so that the command line finds it on any port. */
export type ServerFile = { url: string; pid: number }

export const serverFilePath = (data: string): string => join(data, 'server.json')
export const tokenPath = (data: string): string => join(data, 'token')

/** The server is not running, or went away half-way; a command that follows something may try again. */
export class NoServer extends UserError {
  override name = 'NoServer'
}

export type Connection = { url: string; token: string }

/**
 * Finds the server. Throws `NoServer` if none runs on this data folder, `UserError` if it belongs to another folder or
 * does not know the token.
 */
export async function findServer(data: string): Promise<Connection> {
  const { url, pid } = await runningServer(data)
  const token = (await readOwn(tokenPath(data), data)).trim()
  // fetch refuses a header with anything else in it, with a message that helps nobody.
  if (!/^[\w-]+$/.test(token)) throw wrongToken(data, url)
  const shown = `${url} ${pid} ${token}`
  if (!proved.has(shown)) await prove({ url, token }, data)
  proved.add(shown)
  return { url, token }
}

/** Servers that have proved to this process that they know the token. */
const proved = new Set<string>()

/**
 * Makes the server prove that it knows the token before we send it: another process may have a killed server's number
 * and port by now.
 */
async function prove({ url, token }: Connection, data: string): Promise<void> {
  const challenge = newChallenge()
  let answer: unknown
  try {
    const response = await fetch(new URL('/healthz', url), {
      headers: { [CHALLENGE_HEADER]: challenge },
      redirect: 'error',
    })
    answer = await response.json()
  } catch (error) {
    if (!(error instanceof TypeError)) throw noProof(data, url)
    if (codeBehind(error) === 'ECONNREFUSED') throw notRunning(data)
    throw new NoServer(
      `the server on ${data} does not answer at ${url}. Check whether it is still running: beadloom status`,
    )
  }
  const { proof } = (answer ?? {}) as { proof?: unknown }
  if (!isProof(proof, token, challenge)) throw noProof(data, url)
}

/** The code of a failed fetch, which fetch keeps in the error's cause; empty if there is none. */
export const codeBehind = ({ cause }: Error): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : ''

const noProof = (data: string, url: string): UserError =>
  new UserError(
    `the server at ${url} does not know the token in ${tokenPath(data)}, so the token was not sent: the file was changed after the server started, or something else has taken its port. Restart the server, with another --port if something else uses this one.`,
  )

/** The server that runs on this data folder. Throws as `findServer` does. */
export async function runningServer(data: string): Promise<ServerFile> {
  const found = await readServerFile(data)
  // A killed server leaves its file behind. A process that has taken its port since must not get the token.
  if (!isAlive(found.pid)) throw notRunning(data)
  return found
}

async function readServerFile(data: string): Promise<ServerFile> {
  const text = await readOwn(serverFilePath(data), data)
  try {
    const { url, pid } = JSON.parse(text) as Partial<ServerFile>
    if (typeof url === 'string' && URL.canParse(url) && typeof pid === 'number') return { url, pid }
  } catch {
    // half-written by a server killed at that moment
  }
  throw notRunning(data)
}

async function readOwn(path: string, data: string): Promise<string> {
  try {
    return await readPlainFile(path, MOST_BYTES)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EACCES' || code === 'EPERM') {
      throw new UserError(
        `you are not allowed to read ${path}: the server was started by another user. Run this command as that user, or name your own data folder with --data.`,
      )
    }
    if (code === 'ENOENT' || code === 'ENOTDIR') throw notRunning(data)
    if (error instanceof UnusableFile) throw new UserError(error.message)
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`)
  }
}

/** Only the server's user or root can read this file, so a process of another user merely has the server's number. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const notRunning = (data: string): NoServer =>
  new NoServer(
    `no Beadloom server is running on ${data}. Start one with "beadloom start" (or "npm start" in a checkout), or name another data folder with --data.`,
  )

export const wrongToken = (data: string, url: string): UserError =>
  new UserError(
    `the server at ${url} does not accept the token in ${tokenPath(data)}: the file was changed after the server started. Restart the server.`,
  )
