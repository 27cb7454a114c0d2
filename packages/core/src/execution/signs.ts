import { percentFull } from '../context/context-gauge.ts'
import { changingErrors } from './failure/changing-errors.ts'
import type { Execution } from '../records/execution.ts'
import { lasted } from './lasted.ts'
import type { Session } from '../records/session.ts'
import type { Verification } from '../records/verification.ts'

/** The lengths of an attempt's first message and of the task in it, in characters. */
export type PromptLength = { attempt: number; chars: number; taskChars: number }

export type SignFacts = {
  execution: Pick<Execution, 'flags' | 'state' | 'redGreen' | 'planVersion'> & Partial<Pick<Execution, 'diffSize'>>
  sessions: readonly Session[]
  verifications: readonly Verification[]
  promptLengths?: readonly PromptLength[]
}

/** Real work differs from attempt to attempt by more than this share. */
const SAME_DURATION = 0.02
const MOST_AGENT_SESSIONS = 3
const NEARLY_FULL_PERCENT = 90
const FILES_SHOWN = 3
/** For English text and code. */
const CHARS_PER_TOKEN = 4
const LONG_PROMPT_CHARS = 1000 * CHARS_PER_TOKEN
const tokensOf = (chars: number): string => (Math.round(chars / CHARS_PER_TOKEN / 100) * 100).toLocaleString('en-US')

/**
 * Warning signs of an execution in sentences: things that look wrong but have made nothing fail, each at most once,
 * however the execution ended. They come from stored facts, so they need no event and are available at any time.
 */
export function warningSigns({ execution, sessions, verifications, promptLengths = [] }: SignFacts): string[] {
  // With a plan, each subtask and each review is a session of its own, and none repeats another.
  const work = execution.planVersion === undefined ? sessions.filter(({ kind }) => kind === 'work') : []
  return [
    // For work that passed its checks, equal durations mean nothing.
    ...(execution.state === 'COMPLETED' ? [] : equallyLong(work)),
    ...sameFailure(verifications),
    ...(execution.planVersion === undefined ? changingErrors(decisiveFailures(verifications)) : []),
    ...fullContext(sessions),
    ...outsideOfTask(execution),
    ...sameEnd(work),
    ...longPrompt(promptLengths),
    ...flaky(execution, verifications),
    ...(work.length > MOST_AGENT_SESSIONS ? [`${work.length} agent sessions for one bead`] : []),
    ...flagged(execution, 'tampered'),
    ...flagged(execution, 'secrets'),
    ...withoutTests(execution),
  ]
}

function equallyLong(work: readonly Session[]): string[] {
  const durations = work.flatMap((session) => lasted(session) ?? [])
  if (durations.length < 2) return []
  const [shortest, longest] = [Math.min(...durations), Math.max(...durations)]
  if (longest <= 0 || longest - shortest > longest * SAME_DURATION) return []
  return [`${all(durations.length)} attempts took the same time: the agent may not have done anything`]
}

/** The failure that decided each attempt: the first step that failed when its checks last ran. */
function decisiveFailures(verifications: readonly Verification[]): Verification[] {
  const decisive = new Map<number, Verification>()
  for (const one of verifications) {
    if (one.purpose !== 'attempt') continue
    const known = decisive.get(one.attempt)
    if (one.passed) {
      if (known && known.run < one.run) decisive.delete(one.attempt)
    } else if (!known || known.run < one.run) decisive.set(one.attempt, one)
  }
  return [...decisive.values()]
}

function sameFailure(verifications: readonly Verification[]): string[] {
  const decisive = decisiveFailures(verifications)
  const prints = decisive.map(({ type, fingerprint }) => `${type} ${fingerprint}`)
  if (prints.length < 2 || decisive.some(({ fingerprint }) => fingerprint === '')) return []
  if (new Set(prints).size > 1) return []
  return [`${all(prints.length)} attempts failed alike: retrying is unlikely to help`]
}

/** An agent with a nearly full context forgets its task and repeats itself, or loses what it drops. */
function fullContext(sessions: readonly Session[]): string[] {
  const full = sessions.flatMap(({ context }) => {
    const percent = context ? percentFull({ ...context, tokens: context.peak }) : 0
    return context && percent >= NEARLY_FULL_PERCENT ? [{ percent, compactions: context.compactions }] : []
  })
  if (full.length === 0) return []
  const most = Math.max(...full.map(({ percent }) => percent))
  const times = full.reduce((sum, { compactions }) => sum + compactions, 0)
  const compacted = times === 0 ? '' : `, and was compacted ${times === 1 ? 'once' : `${times} times`}`
  return [
    full.length === 1
      ? `the agent's context was up to ${most}% full${compacted}: a shorter bead may work better`
      : `the contexts of ${full.length} agent sessions were up to ${most}% full${compacted.replace('was', 'were')}: a shorter bead may work better`,
  ]
}

function outsideOfTask({ diffSize }: SignFacts['execution']): string[] {
  const files = diffSize?.outside ?? []
  if (files.length === 0) return []
  const shown = files.slice(0, FILES_SHOWN).join(', ')
  const more = files.length > FILES_SHOWN ? ` and ${files.length - FILES_SHOWN} more` : ''
  const which = files.length === 1 ? 'a file is' : `${files.length} files are`
  return [`${which} changed that the bead does not name: ${shown}${more}`]
}

const all = (count: number): string => (count === 2 ? 'both' : `all ${count}`)

/** Sessions that did not end well, for the same reason each time. */
function sameEnd(work: readonly Session[]): string[] {
  const bad = work.filter(
    ({ outcome }) => outcome === 'failed' || outcome === 'infra_error' || outcome === 'turn_limit',
  )
  const [first] = bad
  if (!first || bad.length < 2 || bad.length < work.length || bad.some(({ outcome }) => outcome !== first.outcome)) {
    return []
  }
  return [`${all(bad.length)} agent sessions ended with the same error (${words[first.outcome ?? ''] ?? ''})`]
}

const words: Record<string, string> = {
  failed: 'the agent failed',
  infra_error: 'the container failed',
  turn_limit: 'it ran out of steps',
}

/**
 * The part of a later attempt's message beyond the first one's length is about the failure: both have the rules and the
 * task. A digest is capped far below 1000 tokens, so only the whole message can be longer.
 */
function longPrompt(lengths: readonly PromptLength[]): string[] {
  const first = lengths.find(({ attempt }) => attempt === 1)
  if (!first) return []
  const later = lengths.filter(({ attempt }) => attempt > 1)
  const crowded = later.find(({ chars, taskChars }) => chars - first.chars > taskChars)
  const long = later.find(({ chars }) => chars > LONG_PROMPT_CHARS)
  return [
    ...(crowded ? [`attempt ${crowded.attempt} was told more about the failure than about the task`] : []),
    ...(long
      ? [`attempt ${long.attempt} began with about ${tokensOf(long.chars)} tokens: a shorter bead may work better`]
      : []),
  ]
}

/** Tests that pass without the change test something else; a change of code without a test is not tested. */
const withoutTests = ({ redGreen }: SignFacts['execution']): string[] =>
  redGreen?.is === 'green' || redGreen?.is === 'no_tests' ? [redGreen.text] : []

/** The same step on the same commit had two results. */
function flaky(execution: SignFacts['execution'], verifications: readonly Verification[]): string[] {
  const marked = flagged(execution, 'flaky')
  if (marked.length > 0) return marked
  const results = new Map<string, Verification>()
  for (const one of verifications) {
    const key = `${one.purpose} ${one.commit} ${one.name} ${one.command}`
    const before = results.get(key)
    if (before && (before.passed !== one.passed || before.fingerprint !== one.fingerprint)) {
      return [`"${one.name}" gave different results on the same code: it may be flaky`]
    }
    results.set(key, one)
  }
  return []
}

const flagged = ({ flags }: SignFacts['execution'], kind: 'flaky' | 'tampered' | 'secrets'): string[] =>
  flags.filter((flag) => flag.kind === kind).map(({ text }) => text)
