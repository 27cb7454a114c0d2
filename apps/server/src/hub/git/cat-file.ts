import { HubError } from '../../ports/hub.ts'
import type { Clock } from '../../process/clock.ts'
import { inTime } from '../../process/within.ts'
import type { GitEnd, GitProcess } from './git-process.ts'

/** With a working disk git answers in milliseconds; 64 MiB take a second. */
const ANSWER_TIMEOUT_MS = 60_000
/** Longer than any object id, type and size, or any name that is asked for and missing. */
const LONGEST_HEADER = 4096
/** Names are refs and object ids. A newline would make two lines of the answer to a name that is missing. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\x00-\x20\x7f]/

export type ObjectInfo = { object: string; type: string; size: number }
type Answer = ObjectInfo & { bytes: Buffer }

/** The process died, or was killed for being late, during this question. A new process may answer it. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/** The process died over an earlier question; this one was never looked at. */
export class NotReached extends Error {
  override name = 'NotReached'
}

type Question = {
  name: string
  /** The most bytes that may follow the header; null when only the header is wanted. */
  limitBytes: number | null
  settle: (answer: Answer | null) => void
  fail: (error: unknown) => void
}

/**
 * One `git cat-file --batch-command -z`. Answers come in the order of the questions, and when it dies, only the first
 * question in line is blamed. A name ends with a zero byte, so nothing in it can be a second command.
 */
export class CatFile {
  static readonly args: readonly string[] = ['cat-file', '--batch-command', '-z']

  readonly #git: GitProcess
  readonly #clock: Clock
  #waiting: Question[] = []
  /** No further question is accepted. */
  #closed = false
  #buried = false
  /** Bytes that have arrived and are not parsed yet. */
  #chunks: Buffer[] = []
  #length = 0
  /** The header of the answer whose bytes are arriving. */
  #header: ObjectInfo | null = null
  #turn = new AbortController()

  /** Resolves when the process is gone. */
  readonly ended: Promise<void>

  constructor(git: GitProcess, clock: Clock) {
    this.#git = git
    this.#clock = clock
    git.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    git.stdout.on('error', () => {}) // its end tells the rest
    this.ended = git.ended.then(
      (end) => this.#bury(asInterrupted(end)),
      (error: unknown) => this.#bury(error),
    )
  }

  get usable(): boolean {
    return !this.#closed
  }

  get idle(): boolean {
    return this.#waiting.length === 0
  }

  /** Id, type and size of the named object; null when there is nothing. */
  info(name: string): Promise<ObjectInfo | null> {
    return this.#ask('info', name, null)
  }

  /** The bytes of an object. Ask `info` first: one that is larger than the limit ends the process. */
  async contents(object: string, limitBytes: number): Promise<Buffer | null> {
    return (await this.#ask('contents', object, limitBytes))?.bytes ?? null
  }

  /** Lets it finish the open questions, then end by itself. */
  close(): void {
    this.#closed = true
    this.#git.stdin.end()
  }

  kill(): void {
    this.#closed = true
    this.#git.kill()
  }

  #ask(command: 'info' | 'contents', name: string, limitBytes: number | null): Promise<Answer | null> {
    return new Promise((settle, fail) => {
      if (FORBIDDEN.test(name)) return fail(new HubError('refused', `git is not asked for ${JSON.stringify(name)}`))
      if (this.#closed) return fail(new NotReached())
      this.#waiting.push({ name, limitBytes, settle, fail })
      if (this.#waiting.length === 1) this.#beginTurn()
      this.#git.stdin.write(`${command} ${name}\0`)
    })
  }

  #beginTurn(): void {
    this.#turn.abort(inTime)
    if (this.#waiting.length === 0) return
    const turn = (this.#turn = new AbortController())
    void this.#clock.sleep(ANSWER_TIMEOUT_MS, turn.signal).then(() => {
      if (turn.signal.aborted) return
      this.#bury(new Interrupted(`git cat-file did not answer within ${ANSWER_TIMEOUT_MS} ms`))
      this.#git.kill()
    })
  }

  #take(chunk: Buffer): void {
    if (this.#buried) return
    this.#chunks.push(chunk)
    this.#length += chunk.length
    while (this.#waiting.length > 0 && this.#length > 0) if (!this.#next()) return
    if (this.#length > 0) this.#fault('git cat-file said something that nobody asked for')
  }

  /** Settles the first question if its whole answer is there; false when more has to arrive. */
  #next(): boolean {
    const [question] = this.#waiting
    if (!question) return false
    if (this.#header === null) {
      const line = this.#line()
      if (line === null) return false
      if (line === `${question.name} missing` || line === `${question.name} ambiguous`) return this.#answer(null)
      const header = parseHeader(line)
      if (header === null) return this.#fault(`git cat-file answered ${JSON.stringify(line.slice(0, 200))}`)
      if (question.limitBytes === null) return this.#answer({ ...header, bytes: Buffer.alloc(0) })
      if (header.size > question.limitBytes) return this.#fault(`${header.object} has ${header.size} bytes`)
      this.#header = header
    }
    const { size } = this.#header
    if (this.#length < size + 1) return false
    const bytes = this.#cut(size + 1).subarray(0, size) // a newline follows
    const header = this.#header
    this.#header = null
    return this.#answer({ ...header, bytes })
  }

  #answer(answer: Answer | null): boolean {
    const question = this.#waiting.shift()
    this.#beginTurn()
    question?.settle(answer)
    return true
  }

  /** The next line without its end; null when it has not arrived. */
  #line(): string | null {
    const all = this.#all()
    const end = all.indexOf(10)
    if (end === -1 && all.length > LONGEST_HEADER) this.#fault('git cat-file answered with a line without an end')
    return end === -1 ? null : this.#cut(end + 1).toString('utf8', 0, end)
  }

  #cut(length: number): Buffer {
    const all = this.#all()
    this.#length = all.length - length
    this.#chunks = this.#length === 0 ? [] : [all.subarray(length)] // an empty end would keep all of it in memory
    return all.subarray(0, length)
  }

  #all(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0] ?? Buffer.alloc(0)
  }

  #fault(why: string): false {
    this.#bury(new Interrupted(why))
    this.#git.kill()
    return false
  }

  /** Rejects the first in line with the reason; the others were not reached. */
  #bury(why: unknown): void {
    this.#closed = this.#buried = true
    this.#turn.abort(inTime)
    const [first, ...others] = this.#waiting
    this.#waiting = []
    this.#chunks = []
    this.#length = 0
    first?.fail(why)
    for (const other of others) other.fail(new NotReached())
  }
}

function parseHeader(line: string): ObjectInfo | null {
  const [, object, type, size] = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) ([a-z]+) (\d{1,15})$/.exec(line) ?? []
  return object === undefined || type === undefined ? null : { object, type, size: Number(size) }
}

const asInterrupted = ({ code, stderr }: GitEnd) =>
  new Interrupted(`git cat-file ended too early (exit ${code}): ${stderr.trim() || 'it said nothing'}`)
