import { MAX_FINDINGS } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'

const HEAD = /^_{2,} (.+) _{2,}$/
/** A name that fills the line leaves one mark on each side. */
const LONG_HEAD = /^_ (\S.*) _$/
const KIND = /^ERROR (?:at (?:setup|teardown) of|collecting) /
const UNCOLLECTED = 'ERROR collecting '
const PLACE = /^(\S[^:]*):(\d+): (?:in \S+|\w[\w.]*)?$/
const CAPTURED = /^-+ Captured .+ -+$/
const ERROR_LINES = 6

type Block = { name: string; place: string; errors: string[] }

/** The tracebacks of a session: exceptions and their places. */
export class PytestBlocks {
  readonly #byName = new Map<string, Block[]>()
  /** Files that could not be collected. */
  readonly uncollected = new Set<string>()
  #kept = 0
  #open: Block | null = null

  line(text: string): void {
    const first = text.charCodeAt(0)
    if (first === 0x5f) this.#head(text)
    else if (!this.#open) return
    else if (first === 0x45 && /^E {2,}/.test(text)) this.#error(this.#open, text)
    else if (first === 0x2d && CAPTURED.test(text)) this.#open = null
    else if (first !== 0x20 && first !== 0x3e) this.#place(this.#open, text)
  }

  /** Later lines belong to no traceback. */
  close(): void {
    this.#open = null
  }

  /** The explanation for the test with that node id; if there are several, the first that was not yet taken. */
  detail(nodeId: string, mark: string): string[] {
    const path = nodeId.split('::').slice(1).join('.') || nodeId
    const block = this.#byName.get(`${path}${mark === '' ? '' : ` ${mark}`}`)?.shift()
    return block ? lines(block) : []
  }

  /** The failures, if the session lists no names. */
  asFailures(): FailureList {
    const failures = new FailureList({ all: true })
    for (const blocks of this.#byName.values()) for (const block of blocks) failures.add(block.name, lines(block))
    return failures
  }

  #head(text: string): void {
    const name = (HEAD.exec(text) ?? LONG_HEAD.exec(text))?.[1]
    if (name === undefined || /^[_ ]+$/.test(name)) return
    this.#open = { name: name.replace(KIND, ''), place: '', errors: [] }
    if (this.#kept >= MAX_FINDINGS) return
    this.#kept += 1
    if (name.startsWith(UNCOLLECTED)) this.uncollected.add(this.#open.name)
    const same = this.#byName.get(this.#open.name)
    if (same) same.push(this.#open)
    else this.#byName.set(this.#open.name, [this.#open])
  }

  #error(block: Block, text: string): void {
    if (block.errors.length < ERROR_LINES) block.errors.push(text.slice(1).replace(/^ {3}/, '').slice(0, 300))
  }

  #place(block: Block, text: string): void {
    const place = PLACE.exec(text)
    if (place) block.place = `at ${place[1]}:${place[2]}`
  }
}

function lines({ errors, place }: Block): string[] {
  const indent = /^ */.exec(errors[0] ?? '')?.[0].length ?? 0
  return [...errors.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))), place].filter(
    (line) => line.trim() !== '',
  )
}
