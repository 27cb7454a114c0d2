import { callNow } from '@beadloom/core/conversation/call-words.ts'
import { clockTime } from '@beadloom/core/text/clock-time.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { EventRow } from '../../ports/store/events.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { Clock } from '../../process/clock.ts'

/** At most one new text on a card a second: people cannot read faster, and each is a row in `changes`. */
const PACE_MS = 1_000
const EVENTS_AT_ONCE = 200
/** Events that should say something and do not, such as an agent's empty message: the card keeps its text then. */
const MOST_TRIED = 20
const LONGEST = 120
/** Nobody reads further here, and an agent's message may be as long as a log. */
const LOOKED_AT = 4096

/** `seq`: its newest event. `seen`: the newest event that the text covers. */
type Activity = { seq: number; seen: number; text: string | null; toldAt: number; telling: boolean }

/** The last thing that happened in each live execution, as the card shows it. */
export class Activities {
  #store: PatientStore
  #clock: Clock
  #stop: AbortSignal
  #report: (error: unknown) => void
  #last = new Map<ExecutionId, Activity>()

  constructor(store: PatientStore, clock: Clock, stop: AbortSignal, report: (error: unknown) => void) {
    this.#store = store
    this.#clock = clock
    this.#stop = stop
    this.#report = report
    store.onEvent((execution, seq) => this.#follow(execution, seq))
  }

  of(execution: ExecutionId): string | null {
    return this.#last.get(execution)?.text ?? null
  }

  #follow(execution: ExecutionId, seq: number): void {
    const known = this.#last.get(execution) ?? this.#begin(execution)
    if (!known) return
    known.seq = Math.max(known.seq, seq)
    if (known.telling) return
    known.telling = true
    const wait = Math.max(0, known.toldAt + PACE_MS - this.#clock.monotonic())
    void this.#clock
      .sleep(wait, this.#stop)
      .then(() => this.#stop.aborted || this.#tell(execution))
      .catch(this.#report)
  }

  /** Null for an ended execution: its pipeline's events are no activity, and nothing would ever forget them. */
  #begin(execution: ExecutionId): Activity | null {
    const state = this.#store.execution(execution)?.state
    if (!state || isTerminal(state)) return null
    const activity: Activity = { seq: 0, seen: 0, text: null, toldAt: -Infinity, telling: false }
    this.#last.set(execution, activity)
    return activity
  }

  #tell(execution: ExecutionId): void {
    const known = this.#last.get(execution)
    if (!known) return
    known.telling = false
    known.toldAt = this.#clock.monotonic()
    const former = known.text
    // Only the end of a burst matters, and reading all of it would never catch up.
    known.text = this.#newest(execution, Math.max(known.seen, known.seq - EVENTS_AT_ONCE)) ?? former
    known.seen = known.seq
    const row = this.#store.execution(execution)
    if (!row || isTerminal(row.state)) return void this.#last.delete(execution)
    if (known.text !== former) void this.#store.touch('execution', row.project, [execution])
  }

  /** Reads the newest event that has a sentence, and none before it. */
  #newest(execution: ExecutionId, after: number): string | null {
    let before = Infinity
    for (let tries = 0; tries < MOST_TRIED; tries++) {
      const event = this.#store.newestEvent(execution, types, { after, before })
      if (!event) return null
      const sentence = sentenceOf(event)
      if (sentence !== null) return sentence
      before = event.seq
    }
    return null
  }
}

type Field = (name: string) => string

/** The sentences, by type of event. */
const sentences: Record<string, (field: Field, at: number) => string> = {
  image: (field) => `image: ${field('text')}`,
  image_build: () => 'building the image',
  image_wait: () => 'waiting for the image that another execution is building',
  phase_started: (field) => `phase ${field('phase')} of ${field('of')} begins`,
  phase_retry: (field) => `phase ${field('phase')} begins again`,
  phase_completed: (field) => `phase ${field('phase')} of ${field('of')} is done`,
  section: (field) => field('command') || field('title'),
  tool_call: (field) => callText(field('tool'), field('arguments')),
  message: (field) => field('text'),
  waits_for_place: (field) => (field('text') === '' ? 'starting' : `waiting for room: ${field('text')}`),
  warning: (field) => field('text'),
  model_problem: (field) => field('text'),
  kept_back: (field) => (field('refused') === '' ? '' : field('text')),
  model_parked: (field, at) => `waiting for the model until ${clockTime(Number(field('until')), at)}`,
  integrated: (field) => `merged into ${field('branch')}`,
  push_pending: (field) => `waiting for the project's remote: ${field('why')}`,
  budget_near: (field) => field('text'),
  budget_granted: () => 'more was granted',
  budget_continues: () => 'continues with more tokens or money',
  phase_waits: (field) => `phase ${field('phase')} is done: waits for you`,
  push_conflict: (field) =>
    `conflicts with ${field('branch')}${field('join') === '' ? '' : `: its agent is asked to join the two (${field('join')} of ${field('of')})`}`,
}
const types = Object.keys(sentences)

function sentenceOf({ type, at, data }: EventRow): string | null {
  const field = (name: string): string => {
    const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const text = sentences[type]?.(field, at).slice(0, LOOKED_AT).replace(/\s+/g, ' ').trim()
  return text ? text.slice(0, LONGEST) : null
}

/** The conversation's text for a running call; for a command, the command itself, because a card has little room. */
function callText(tool: string, given: string): string {
  const { kind, verb, what } = callNow(tool, given)
  return kind === 'run' && what !== '' ? what : `${verb} ${what}`
}
