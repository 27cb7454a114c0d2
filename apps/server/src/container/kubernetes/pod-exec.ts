import { PassThrough, Writable, type Readable, type TransformCallback } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Exec, V1Status } from '@kubernetes/client-node'
import { SUPERVISOR_FOLDER } from '@beadloom/core/execution/session-order.ts'
import type { Carrier } from '../../link/carried-link.ts'
import { EngineError } from '../../ports/engine.ts'
import { WAIT } from '../exec-carrier.ts'
import { again } from './exec-again.ts'
import type { KubeClient } from './kube-client.ts'
import { messageIn } from './kube-error.ts'
import { KEEPER, SANDBOX } from './pod-manifest.ts'

type In = { pod: string; container: typeof SANDBOX | typeof KEEPER }
type Cable = Awaited<ReturnType<Exec['exec']>>

/** A program's output, as fast as it is read: meanwhile the cable is paused. */
class Bounded extends PassThrough {
  #cable: Cable | null = null
  #heard: () => void

  /** @param heard called with the first piece */
  constructor(heard: () => void = () => {}) {
    super()
    this.#heard = heard
  }

  follow(cable: Cable): void {
    this.#cable = cable
    this.on('drain', () => cable.resume())
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    this.#heard()
    this.#heard = () => {}
    super._transform(chunk, encoding, done)
    if (this.writableNeedDrain) this.#cable?.pause()
  }
}

/** Drops its input. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * `code` -1: the end of the program is unknown, because the cable broke, or, with a `refusal`, it was not passed on.
 */
type End = { code: number; refusal: V1Status | null }
type Begun = { cable: Cable; output: Bounded; ended: Promise<End> }

async function begin(
  client: KubeClient,
  { pod, container }: In,
  command: string[],
  input: Readable | null,
  errors: Writable = nowhere(),
  heard?: () => void,
): Promise<Begun> {
  const output = new Bounded(heard)
  const ended = Promise.withResolvers<End>()
  let opening: Promise<Cable> | null = null
  const cable = await client
    .call(`run a program in the pod ${pod}`, ({ library, config }) => {
      const exec = new library.Exec(config)
      return (opening = exec.exec(client.namespace, pod, container, command, output, errors, input, false, (status) =>
        ended.resolve(endOf(status)),
      ))
    })
    .catch((error: unknown) => {
      // A cable that opens too late would take the link and carry nothing.
      opening?.then((late) => late.terminate()).catch(() => {})
      throw error
    })
  output.follow(cable)
  cable.on('close', () => {
    ended.resolve(unknownEnd)
    output.end()
  })
  cable.on('error', (error) => {
    output.destroy(new EngineError('unreachable', `the cable to the pod ${pod} broke`, { cause: error }))
    ended.resolve(unknownEnd)
  })
  return { cable, output, ended: ended.promise }
}

const unknownEnd: End = { code: -1, refusal: null }

function endOf(status: V1Status): End {
  if (status.status === 'Success') return { code: 0, refusal: null }
  const code = Number(status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message)
  return Number.isInteger(code) ? { code, refusal: null } : { code: -1, refusal: status }
}

const notPassedOn = (pod: string, refusal: V1Status): EngineError =>
  new EngineError('unreachable', `the cluster could not reach the pod ${pod}: ${messageIn(refusal)}`, {
    cause: refusal,
  })

/**
 * A pulled cable is silent, and the API server answers pings in its place: heartbeats of our own are missed five times.
 */
const SILENT_MS = 25_000

/**
 * Opens a way to the supervisor of a pod.
 *
 * @param heard called when something comes from there
 */
export async function podCarrier(client: KubeClient, pod: string, heard: () => void): Promise<Carrier> {
  const output = new PassThrough()
  const command = ['/bin/sh', '-c', WAIT]
  const where = { pod, container: SANDBOX } as const
  const { cable, output: input } = await again(client.clock, () =>
    begin(client, where, command, output, nowhere(), heard),
  )
  const end = () => void (input.destroy(), output.destroy())
  cable.on('close', end)
  input.on('close', () => void cable.terminate())
  return { input, output, silentMs: SILENT_MS }
}

/** Runs a command to its end, and keeps some kilobytes of its output. It may run more than once and must allow that. */
export const runInPod = (
  client: KubeClient,
  where: In,
  script: string,
  args: string[] = [],
): Promise<{ code: number; said: string }> => again(client.clock, () => runOnce(client, where, script, args))

async function runOnce(
  client: KubeClient,
  where: In,
  script: string,
  args: string[],
): Promise<{ code: number; said: string }> {
  const errors = new PassThrough()
  let said = ''
  const hear = (chunk: Buffer) => void (said.length < 10_000 && (said += chunk.toString()))
  errors.on('data', hear)
  const begun = await begin(client, where, ['/bin/sh', '-c', script, 'sh', ...args], null, errors)
  begun.output.on('data', hear).on('error', () => {})
  try {
    const { code, refusal } = await client.call(`finish a program in the pod ${where.pod}`, () => begun.ended)
    if (refusal !== null) throw notPassedOn(where.pod, refusal)
    // Its end is known before all of its output has been read.
    const printed = [begun.output.end(), errors.end()].map((one) => finished(one, { writable: false }))
    await Promise.allSettled(printed)
    return { code, said }
  } finally {
    begun.cable.terminate()
  }
}

const THERE = 0x2b // '+'
const ARCHIVE = `test -e "$1" || test -L "$1" || exit 44
printf +
cd "$(dirname "$1")" && exec tar --create --file=- --format=gnu -- "$(basename "$1")"`

/** A file or a folder as a tar stream, read by the keeper; null: there is none. */
export const podArchive = (client: KubeClient, pod: string, path: string): Promise<Readable | null> =>
  again(client.clock, () => archiveOnce(client, pod, path))

async function archiveOnce(client: KubeClient, pod: string, path: string): Promise<Readable | null> {
  const { cable, output, ended } = await begin(
    client,
    { pod, container: KEEPER },
    ['/bin/sh', '-c', ARCHIVE, 'sh', path],
    null,
  )
  const tar = new PassThrough()
  const first = Promise.withResolvers<boolean>()
  let isFirst = true
  output.on('data', (chunk: Buffer) => {
    const rest = isFirst ? chunk.subarray(1) : chunk
    if (isFirst) first.resolve(chunk[0] === THERE)
    isFirst = false
    if (rest.length > 0 && !tar.write(rest)) {
      output.pause()
      tar.once('drain', () => output.resume())
    }
  })
  output.on('error', (error) => void tar.destroy(error))
  tar.on('close', () => void cable.terminate())
  // Its end is known before all of its output has been read.
  output.on('end', () => {
    first.resolve(false)
    void ended.then(({ code }) => {
      // 1 and 2: a file changed while it was read, or could not be read.
      if (code >= 0 && code <= 2) tar.end()
      else tar.destroy(new EngineError('unreachable', `the files of the pod ${pod} broke off`))
    })
  })
  tar.on('error', () => {})
  if (await first.promise) return tar
  const { code, refusal } = await ended
  tar.destroy()
  if (refusal !== null) throw notPassedOn(pod, refusal)
  if (code === 44) return null
  throw new EngineError(code === -1 ? 'unreachable' : 'failed', `${path} of the pod ${pod} could not be read (${code})`)
}

/** Bytes of everything that outlives the sandbox. */
export async function podBytes(client: KubeClient, pod: string): Promise<number | null> {
  const { code, said } = await runInPod(client, { pod, container: KEEPER }, 'du -sk /files | cut -f1')
  const kib = Number.parseInt(said, 10)
  return code === 0 && Number.isFinite(kib) ? kib * 1024 : null
}

/** Tells a container that was started again that this start is wanted. */
export async function letGo(client: KubeClient, pod: string, starts: number): Promise<void> {
  const gate = `/files/lib/${SUPERVISOR_FOLDER.split('/').at(-1)}/.go`
  const { code } = await runInPod(client, { pod, container: KEEPER }, 'echo "$1" > "$2"', [String(starts), gate])
  if (code !== 0) throw new EngineError('failed', `${pod} could not be started again (${code})`)
}
