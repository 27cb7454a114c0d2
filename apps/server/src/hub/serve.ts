import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type GitDoor, type HubAccess, HubError, type Pushable } from '../ports/hub.ts'
import type { Git } from './git/git.ts'
import type { GitCall } from './git/git-call.ts'
import { locksOfPush } from './git/stale-locks.ts'
import type { GitProcess } from './git/git-process.ts'
import { tolerantFsck } from './git/git-flags.ts'
import { checkPushRule, hiddenFromFetch, pushRule } from './push-rule.ts'

export type ServeBounds = {
  /** The most bytes of one pushed pack. */
  pushBytes: number
  /** The most refs of one push, and of an execution's leftovers: it chooses their names. */
  refs: number
  /** The longest a request may take, from its first byte to the last byte of its answer. */
  requestMs: number
}

export type ServeDeps = {
  git: Git
  /** The bare clone; rejects when there is none. */
  gitDir: () => Promise<string>
  hooksFolder: string
  bounds: ServeBounds
}

/** A dozen short lines; git has fewer. */
const MOST_CAPABILITIES = 64 * 1024

type Service = 'git-upload-pack' | 'git-receive-pack'
type Ask = { service: Service; advertise: boolean }

/**
 * Git smart HTTP, one git process for each request, streamed both ways. `upload-pack` and `receive-pack` are run
 * directly: `http-backend` would only add a second parser of the same request and a way to read single files.
 */
export function serveGit(deps: ServeDeps, access: HubAccess): GitDoor {
  const pushes: Pushes = { isOver: false, running: new Set() }
  return {
    answer: (request, response) => {
      answer(deps, access, pushes, request, response).catch((error: unknown) => {
        const known = error instanceof HubError
        refuse(
          request,
          response,
          known && error.kind === 'missing' ? 404 : 500,
          known ? error.message : 'git failed here',
        )
      })
    },
    revoke: async () => {
      pushes.isOver = true
      const running = [...pushes.running]
      for (const push of running) push.hangUp()
      await Promise.allSettled(running.map(({ ended }) => ended))
    },
  }
}

/** One session's pushes: whether its right to push is revoked, and those begun before that. */
type Pushes = { isOver: boolean; running: Set<GitProcess> }

async function answer(
  deps: ServeDeps,
  access: HubAccess,
  pushes: Pushes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const ask = whatIsAsked(request)
  if (ask === null) return refuse(request, response, 404, 'no such git service here')
  const gitDir = await deps.gitDir()
  if (ask.service === 'git-upload-pack') {
    const call = uploadPack(gitDir, access, ask, request)
    if (ask.advertise && isVersion2(request)) return tellCapabilities(deps, gitDir, ask, call, request, response)
    return exchange(deps, ask, call, request, response)
  }

  const { pushable } = access
  if (pushable === null) return cannotPush(ask, request, response, FOR_READING)
  await checkPushRule(deps.hooksFolder)
  if (!ask.advertise) for (const lock of locksOfPush(refOf(pushable))) await deps.git.locks.drop(gitDir, lock)
  if (pushes.isOver) return cannotPush(ask, request, response, OVER)
  const rule = pushRule({ ...access, pushable }, deps.hooksFolder, deps.bounds)
  const call = {
    args: ['receive-pack', ...stateless(ask), gitDir],
    worksIn: gitDir,
    config: [...rule.config, ...tolerantFsck('receive'), `safe.directory=${gitDir}`],
    env: rule.env,
  }
  return exchange(deps, ask, call, request, response, pushes)
}

const refOf = (pushable: Pushable): string => ('branch' in pushable ? `refs/heads/${pushable.branch}` : pushable.only)

const FOR_READING = 'Beadloom: nothing can be pushed from here; this checkout is for reading.'
const OVER = 'Beadloom: this session is over, so nothing more is taken from it. What it had pushed before is kept.'

function whatIsAsked(request: IncomingMessage): Ask | null {
  const { url = '', method } = request
  const found = /^\/git\/hub\.git\/(info\/refs\?service=)?(git-upload-pack|git-receive-pack)$/.exec(url)
  if (!found) return null
  const advertise = found[1] !== undefined
  if (method !== (advertise ? 'GET' : 'POST')) return null
  const service = found[2] as Service
  const type = request.headers['content-type']
  return advertise || type === `application/x-${service}-request` ? { service, advertise } : null
}

function uploadPack(gitDir: string, access: HubAccess, ask: Ask, request: IncomingMessage): GitCall {
  const config = [...hiddenFromFetch(access), 'uploadpack.allowAnySHA1InWant=true', `safe.directory=${gitDir}`]
  return {
    args: ['upload-pack', ...stateless(ask), '--strict', gitDir],
    config,
    env: isVersion2(request) ? { GIT_PROTOCOL: 'version=2' } : {},
  }
}

const stateless = ({ advertise }: Ask) => ['--stateless-rpc', ...(advertise ? ['--advertise-refs'] : [])]

/** Only this value is passed on: no other part of the header reaches git's environment. */
const isVersion2 = (request: IncomingMessage) => request.headers['git-protocol'] === 'version=2'

/** Asked once for each clone: every fetch of version 2 begins with it, and it does not change while the server runs. */
async function tellCapabilities(
  { git, bounds }: ServeDeps,
  gitDir: string,
  ask: Ask,
  call: GitCall,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const clone = git.clones.at(gitDir)
  const asked = (clone.capabilities ??= git
    .run({ ...call, timeoutMs: bounds.requestMs, limitBytes: MOST_CAPABILITIES })
    .then(({ stdout }) => stdout))
  try {
    const capabilities = await asked
    response.writeHead(200, headersOf(ask))
    response.end(capabilities)
  } catch {
    clone.capabilities = null
    refuse(request, response, 500, noAnswer(ask))
  }
}

const noAnswer = ({ service }: Ask) => `git ${service} gave no answer; ask again`

const headersOf = ({ service, advertise }: Ask) => ({
  'content-type': `application/x-${service}-${advertise ? 'advertisement' : 'result'}`,
  'cache-control': 'no-cache, max-age=0, must-revalidate',
})

async function exchange(
  deps: ServeDeps,
  ask: Ask,
  call: GitCall,
  request: IncomingMessage,
  response: ServerResponse,
  pushes: Pushes | null = null,
): Promise<void> {
  const { service, advertise } = ask
  const git = deps.git.start({ ...call, timeoutMs: deps.bounds.requestMs })
  if (pushes !== null) {
    const gone = () => void pushes.running.delete(git)
    pushes.running.add(git)
    git.ended.then(gone, gone)
  }
  // The client left or has its answer. A push must end by itself: a killed one leaves its received bytes on the disk.
  response.once('close', service === 'git-receive-pack' ? git.hangUp : git.kill)
  if (advertise) git.stdin.end()
  else feed(request, git.stdin)

  const first = await firstChunk(git.stdout)
  // No output can be right: before a large push, git sends an empty request to ask whether it may.
  if (first === null && (await git.ended).code !== 0) {
    return refuse(request, response, 500, noAnswer(ask))
  }
  response.writeHead(200, headersOf(ask))
  // Version 2 starts without this line; receive-pack has no version 2.
  if (advertise && (service === 'git-receive-pack' || !isVersion2(request))) {
    response.write(`${packetLine(`# service=${service}\n`)}0000`)
  }
  if (first === null) response.end()
  else {
    response.write(first)
    await pipeline(git.stdout, response)
  }
  await git.ended
}

/**
 * Passes the body on. On any failure git sees the end of its input and names the missing part, and the rest of the body
 * is read and dropped: a client reads the reason only after it has sent everything.
 */
function feed(request: IncomingMessage, stdin: Writable): void {
  const gunzip = isGzip(request) ? createGunzip() : null
  const dropRest = () => {
    request.unpipe()
    request.resume()
    stdin.end()
  }
  stdin.once('close', dropRest)
  request.once('error', dropRest)
  gunzip?.once('error', dropRest)
  if (gunzip) request.pipe(gunzip).pipe(stdin)
  else request.pipe(stdin)
}

const isGzip = (request: IncomingMessage) => /^(?:x-)?gzip$/.test(request.headers['content-encoding'] ?? '')

/** Resolves with the first bytes, null when there are none. */
function firstChunk(stream: Readable): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const finish = (chunk: Buffer | null) => {
      stream.off('readable', onReadable)
      stream.off('end', onEnd)
      stream.off('close', onEnd)
      resolve(chunk)
    }
    const onReadable = () => {
      const chunk = stream.read() as Buffer | null
      if (chunk !== null) finish(chunk) // null: the end comes next
    }
    const onEnd = () => finish(null)
    stream.on('readable', onReadable)
    stream.on('end', onEnd)
    stream.on('close', onEnd) // git could not even start
  })
}

/** Answers in git's own format if it has one, so that the agent reads the sentence and not only a status. */
function cannotPush(ask: Ask, request: IncomingMessage, response: ServerResponse, sentence: string): void {
  if (!ask.advertise) return refuse(request, response, 403, sentence)
  response.writeHead(200, { 'content-type': `application/x-${ask.service}-advertisement`, 'cache-control': 'no-cache' })
  response.end(`${packetLine(`# service=${ask.service}\n`)}0000${packetLine(`ERR ${sentence}\n`)}`)
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, sentence: string): void {
  request.resume()
  if (response.headersSent) return void response.destroy() // half an answer must not look whole
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${sentence}\n`)
}

/** Git's framing: four hex digits of length, which count themselves. */
const packetLine = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
