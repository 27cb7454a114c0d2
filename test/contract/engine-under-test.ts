import { parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { Engine } from '@beadloom/server/src/ports/engine.ts'
import type {
  EnvironmentId,
  Exit,
  OutputFrame,
  Running,
  Sandbox,
  SandboxSpec,
  SessionCall,
  SessionHandlers,
} from '@beadloom/server/src/ports/sandbox.ts'

/** An adapter, and the means of somebody else on the same machine. */
export type Adapter = {
  engine: Engine
  /** A new object for the same server, as after a restart. */
  again: () => Engine
  /** An adapter for another server beside this one. */
  foreign: () => Engine
  /** An environment whose sandboxes run the test agent. */
  environment: EnvironmentId
  /** An image from which services can run Node. */
  serviceImage: string
  /** The beginning of the names of sandboxes, and of no other names. */
  prefix: string
  /** Kills a sandbox as a stranger would, without asking the adapter. */
  kill: (sandbox: string) => Promise<void>
  /** It has no room for all sandboxes of these tests at once. */
  isNarrow?: boolean
  close: () => Promise<void>
}

export const never = new AbortController().signal
export const EXECUTION = parseExecutionId('ex-0123456789')
/** A program that has said `ready` and does not end. */
export const ENDLESS = `setInterval(() => {}, 1000); console.log('ready')`

/** An adapter as the contract's tests use it. */
export class EngineUnderTest {
  readonly adapter: Adapter
  #sandboxes = 0
  /** Some are not closed by the tests that opened them. */
  readonly #opened: Sandbox[] = []

  constructor(adapter: Adapter) {
    this.adapter = adapter
  }

  get engine(): Engine {
    return this.adapter.engine
  }

  spec(changes: Partial<SandboxSpec> = {}): SandboxSpec {
    const { environment, prefix } = this.adapter
    return {
      name: `${prefix}-${++this.#sandboxes}`,
      environment,
      owner: EXECUTION,
      purpose: 'work',
      network: 'none',
      cpus: 1,
      memoryBytes: 512 * 1024 ** 2,
      processes: 64,
      ...changes,
    }
  }

  async open(changes: Partial<SandboxSpec> = {}): Promise<Sandbox> {
    return this.#noted((await this.engine.open(this.spec(changes))).sandbox)
  }

  /** The same sandbox, for a restarted server. */
  next({ id, name }: Sandbox): Sandbox {
    return this.#noted(this.adapter.again().sandbox({ id, name }))
  }

  /** A sandbox with a session that has said `ready`. Its output is read on, so nothing blocks it. */
  async started(program: string): Promise<{ sandbox: Sandbox; running: Running }> {
    const sandbox = await this.open()
    return { sandbox, running: await this.startIn(sandbox, program) }
  }

  /** The same in an existing sandbox. */
  async startIn(sandbox: Sandbox, program: string): Promise<Running> {
    const running = await sandbox.run(call(program))
    await saying(running.output, 'ready')
    return running
  }

  #noted(sandbox: Sandbox): Sandbox {
    this.#opened.push(sandbox)
    return sandbox
  }

  /** Closes all sandboxes between two tests, if the engine has little room. */
  async makeRoom(): Promise<void> {
    if (!this.adapter.isNarrow) return
    for (const sandbox of this.#opened.splice(0)) await sandbox.close()
  }

  async close(): Promise<void> {
    for (const sandbox of this.#opened) sandbox.letGo()
    for (const engine of [this.engine, this.adapter.foreign()])
      for (const owned of await engine.owned()) await engine.sandbox(owned).close()
    await this.adapter.close()
  }
}

const nothing: SessionHandlers['git'] = (_, response) => void response.writeHead(404).end()

let sessions = 0
let latest = ''

/** A new session that runs `program` (a JavaScript module). */
export function call(program: string, handlers: Partial<SessionHandlers> = {}): SessionCall {
  sessions += 1
  latest = program
  return numbered(program, handlers)
}

/** The last session called, as the next server knows it. */
export const same = (handlers: Partial<SessionHandlers> = {}): SessionCall => numbered(latest, handlers)

const numbered = (program: string, handlers: Partial<SessionHandlers>): SessionCall => ({
  order: {
    session: sessionIdOf(EXECUTION, sessions),
    execution: EXECUTION,
    workspace: '/workspace',
    git: { url: '', branch: '', commit: '', author: { name: '', email: '' } },
    work: { kind: 'setup', command: program, timeoutMs: 60_000 },
  },
  handlers: { git: nothing, model: nothing, ...handlers },
  onRequest: () => {},
})

type Outcome = { stdout: Buffer; stderr: Buffer; exit: Exit }

/** One session, from its beginning to its end. */
export const toTheEnd = async (sandbox: Sandbox, program: string): Promise<Outcome> =>
  theEndOf(await sandbox.run(call(program)))

export async function theEndOf(running: Running): Promise<Outcome> {
  const output = collect(running.output)
  const exit = await running.ended(never)
  const ended = { ...(await output), exit }
  running.close()
  return ended
}

export async function collect(frames: AsyncIterable<OutputFrame>): Promise<{ stdout: Buffer; stderr: Buffer }> {
  const parts: Record<OutputFrame['stream'], Buffer[]> = { stdout: [], stderr: [] }
  for await (const { stream, bytes } of frames) parts[stream].push(bytes)
  return { stdout: Buffer.concat(parts.stdout), stderr: Buffer.concat(parts.stderr) }
}

/** Resolves when the output contains `word`; reads on, so the session is not blocked. */
export function saying(frames: AsyncIterable<OutputFrame>, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = async (): Promise<void> => {
      for await (const { bytes } of frames) {
        text += bytes.toString()
        if (text.includes(word)) resolve()
      }
      reject(new Error(`the output ended without ${JSON.stringify(word)}: ${text}`))
    }
    read().catch(reject)
  })
}
