import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http'
import { join } from 'node:path'
import { LinkedSandbox, type LinkedServer, type Transport } from '../support/link/linked-sandbox.ts'
import { figure, median, type Report, type Row, type Unit } from './support/figure.ts'
import { wallClock } from './support/wall-clock.ts'

const ROUNDS = 5
const REQUESTS = 300
const AT_ONCE = 50
const OUTPUT_BYTES = 200_000_000
const transports: Transport[] = ['a socket', 'standard streams']

/** The measurements of one way from a client to a server, in one round. */
type Values = { small: number; together: number }
type OutputValues = { rate: number; cpu: number; beside: number }

/**
 * The cost of the multiplexed link: small requests against a bare socket, output against a bare pipe. The supervisor is
 * a separate process, as in a container; there is no engine in between.
 */
export async function link(asked: number | null): Promise<Report> {
  const bare: Values[] = []
  const pipe: { rate: number; cpu: number }[] = []
  const linked = new Map(transports.map((transport) => [transport, [] as (Values & OutputValues)[]]))
  for (let round = 1; round <= (asked ?? ROUNDS); round++) {
    bare.push(await onBareSocket())
    pipe.push(await throughPipe())
    for (const transport of transports) linked.get(transport)?.push(await throughLink(transport))
  }
  return {
    rows: transports.flatMap((transport) => rowsOf(transport, linked.get(transport) ?? [], bare, pipe)),
    parts: [],
  }
}

function rowsOf(
  transport: Transport,
  ours: (Values & OutputValues)[],
  bare: Values[],
  pipe: { rate: number; cpu: number }[],
): Row[] {
  const row = (what: string, unit: Unit, values: number[], baseline: string, beside: number[]): Row => ({
    bench: 'link',
    what: `${what}, over ${transport}`,
    ours: figure(unit, values),
    baseline: { what: baseline, figure: figure(unit, beside) },
    aim: null,
  })
  const small = bare.map((values) => values.small)
  return [
    row(
      'a small request',
      'ms',
      ours.map((values) => values.small),
      'bare socket',
      small,
    ),
    row(
      `${REQUESTS} of them, ${AT_ONCE} at once`,
      'ms',
      ours.map((values) => values.together),
      'bare socket',
      bare.map((values) => values.together),
    ),
    row(
      'one beside a flood of output',
      'ms',
      ours.map((values) => values.beside),
      'bare socket, no flood',
      small,
    ),
    row(
      'output',
      'MB/s',
      ours.map((values) => values.rate),
      'bare pipe',
      pipe.map(({ rate }) => rate),
    ),
    row(
      'processor of the reader for 100 MB of it',
      'ms',
      ours.map((values) => values.cpu),
      'bare pipe',
      pipe.map(({ cpu }) => cpu),
    ),
  ]
}

const answering = (): Server =>
  createServer((asked, response) => void asked.resume().on('end', () => response.end('yes')))

async function onBareSocket(): Promise<Values> {
  const sandbox = new LinkedSandbox()
  const server = answering().listen(sandbox.clients)
  try {
    await once(server, 'listening')
    return await requests(sandbox)
  } finally {
    await sandbox.close()
    server.close()
    server.closeAllConnections()
  }
}

async function throughLink(transport: Transport): Promise<Values & OutputValues> {
  const sandbox = new LinkedSandbox()
  const http = answering()
  const server = sandbox.server(http)
  try {
    await sandbox.start(transport, [server], OUTPUT_BYTES)
    const values = await requests(sandbox)
    const { rate, cpu } = await output(server)
    // The second time with requests beside it, which use the same processors.
    const flood = output(server)
    let isOver = false
    void flood.then(() => (isOver = true))
    const times: number[] = []
    while (!isOver) times.push(await timed(() => ask(sandbox)))
    return { ...values, rate, cpu, beside: median(times) }
  } finally {
    await sandbox.close()
    http.closeAllConnections()
  }
}

async function requests(sandbox: LinkedSandbox): Promise<Values> {
  for (let warm = 0; warm < REQUESTS; warm++) await ask(sandbox)
  const times: number[] = []
  for (let at = 0; at < REQUESTS; at++) times.push(await timed(() => ask(sandbox)))
  const many = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const all = () => Promise.all(Array.from({ length: REQUESTS }, () => ask(sandbox, many)))
  await all()
  const together = await timed(all)
  many.destroy()
  return { small: median(times), together }
}

async function ask({ clients, agent }: LinkedSandbox, by = agent): Promise<void> {
  const asking = request({ socketPath: clients, method: 'POST', agent: by })
  asking.end('what a model is asked, but shorter')
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  await once(response.resume(), 'end')
}

async function timed(what: () => Promise<unknown>): Promise<number> {
  const from = wallClock()
  await what()
  return wallClock() - from
}

async function output(server: LinkedServer): Promise<{ rate: number; cpu: number }> {
  let at = 0
  return measured(
    new Promise<void>((resolve, reject) => {
      const follower = server.link?.follow('blocks', 0, {
        write: (piece) => {
          if (piece.type === 'bytes') at = piece.from + piece.bytes.length
          follower?.acknowledge(at)
        },
        closed: (why) => (why === null && at === OUTPUT_BYTES ? resolve() : reject(new Error(`output ended: ${why}`))),
      })
    }),
  )
}

/** A process that does nothing but write the same bytes to its standard output. */
async function throughPipe(): Promise<{ rate: number; cpu: number }> {
  const program = join(import.meta.dirname, 'support', 'write-blocks.ts')
  const child = spawn(process.execPath, [program, String(OUTPUT_BYTES)], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'readable')
  child.stdout.read()
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length))
  child.stdin.end('go\n')
  const values = await measured(once(child.stdout, 'end'))
  if (bytes !== OUTPUT_BYTES) throw new Error(`only ${bytes} of ${OUTPUT_BYTES} bytes arrived`)
  return values
}

/** Millions of bytes a second, and this process's processor time for 100 MB. */
async function measured(over: Promise<unknown>): Promise<{ rate: number; cpu: number }> {
  const [from, before] = [wallClock(), process.cpuUsage()]
  await over
  const { user, system } = process.cpuUsage(before)
  return { rate: OUTPUT_BYTES / 1e3 / (wallClock() - from), cpu: (user + system) / 1e3 / (OUTPUT_BYTES / 1e8) }
}
