import type { StepType } from '../../digest/digest-tool.ts'
import { capDigest } from '../../digest/cap.ts'
import { digestText } from '../../digest/digest-reader.ts'
import { oneLine } from '../../text/one-line.ts'
import { namedDigest, stepWords } from '../../records/verification.ts'
import { retryConditions, type RetryCondition } from './retry-condition.ts'

/** A check that fails in the agent's workspace after the agent has said that it is done. */
export type FailedCheck = { type: StepType; name: string; command: string; digest: string; summary: string }

/** A call whose newest result is a failure. */
export type FailedCall = {
  tool: string
  /** JSON, as the model wrote it. */
  arguments: string
  result: string
}

/** The facts about an attempt that is over. */
export type AttemptFacts = {
  /** By its own words, out of steps, in a loop, or because it could not continue at all. */
  ended: 'done' | 'steps' | 'circles' | 'other'
  /** Its end, in a sentence. */
  text: string
  checks: readonly FailedCheck[]
  /** Oldest first. */
  calls: readonly FailedCall[]
  /** Its newest calls, one a line, oldest first. */
  progress: readonly string[]
}

/** `summary`: one line. `error`: the text for the next attempt. `condition`: every flag that it counts as; 0: none. */
export type FailedAttempt = { condition: RetryCondition; summary: string; error: string }

const { None, BuildErrors, TestFailures, ToolErrors, MaxStepsReached } = retryConditions

/** The most failed calls in the text. Earlier failures are mostly repaired, or not the cause. */
const CALLS_TOLD = 3
const LONGEST_ERROR = 6000
const LONGEST_TOOL_ERROR = 600
const LONGEST_SUMMARY = 300

/**
 * The failure of an attempt; null: it has not failed. The project's checks decide first, then the results of its tool
 * calls, parsed by the tools that printed them; words in the output only if no tool is known.
 */
export function failureOf({ ended, text, checks, calls, progress }: AttemptFacts): FailedAttempt | null {
  if (ended === 'done') return checks.length === 0 ? null : failedChecks(checks)
  const read = ended === 'other' ? [] : calls.slice(-CALLS_TOLD).map(readCall).toReversed()
  const worn = ended === 'other' ? None : MaxStepsReached
  const error = [text, ...read.map(({ error: told }) => told), ...(ended === 'other' ? [] : [slower(ended, progress)])]
  return {
    condition: read.reduce((all, one) => all | one.condition, worn as RetryCondition),
    summary: shortLine(text),
    error: capDigest(error.join('\n\n'), LONGEST_ERROR),
  }
}

/** A linter's finding counts like a compiler's: a line of a file is wrong. */
const ofType: Record<Exclude<StepType, 'custom'>, RetryCondition> = {
  build: BuildErrors,
  lint: BuildErrors,
  test: TestFailures,
}

function failedChecks(checks: readonly FailedCheck[]): FailedAttempt {
  const condition = checks.reduce(
    (all, { type, digest }) => all | (type === 'custom' ? wordsIn(digest) || TestFailures : ofType[type]),
    None as RetryCondition,
  )
  const error = checks.map((check) => capDigest(namedDigest(check)))
  const names = checks.map((check) => `${stepWords(check)}: ${check.summary}`)
  return {
    condition,
    summary: shortLine(`its checks fail: ${names.join('; ')}`),
    error: capDigest(error.join('\n\n'), LONGEST_ERROR),
  }
}

function readCall({ tool, arguments: args, result }: FailedCall): Pick<FailedAttempt, 'condition' | 'error'> {
  const command = tool === 'bash' ? commandIn(args) : null
  if (command !== null) {
    const { tool: printed, type, digest } = digestText(result, { command }, 1)
    const condition = printed === 'generic' || type === 'custom' ? wordsIn(result) : ofType[type]
    if (condition !== None) return { condition, error: `The command failed: ${shortLine(command)}\n${digest}` }
  }
  const said = capDigest(result.trim(), LONGEST_TOOL_ERROR)
  return {
    condition: ToolErrors,
    error: `The tool ${tool} failed: ${shortLine(args)}\n${said}\nUse another tool or other arguments for it.`,
  }
}

/** The output of most compilers: a file, a line, and the word "error"; or an error by its number. */
const BUILD_WORDS = /\berror (?:CS|TS|MSB)\d+|\berror\[E\d{4}\]|^\S+:\d+(?::\d+)?: (?:fatal )?error\b/m
/** A test by its name, or a count of them. */
const TEST_WORDS =
  /^\s*(?:not ok \d|--- FAIL|FAIL(?:ED)?\b|[✗✕×●] )|\b\d+ (?:tests? )?fail(?:ed|ing|ures?)\b|\bfailed: \d/im

function wordsIn(output: string): RetryCondition {
  if (BUILD_WORDS.test(output)) return BuildErrors
  return TEST_WORDS.test(output) ? TestFailures : None
}

function slower(ended: 'steps' | 'circles', progress: readonly string[]): string {
  const lines = progress.map((line) => `- ${line}`)
  const done = lines.length === 0 ? [] : ['What it did last:', ...lines]
  const advice =
    ended === 'steps'
      ? 'Its changes are in the workspace: look at them, continue there, and take fewer steps this time.'
      : 'Its changes are in the workspace: look at them, and do not repeat what gave the same result each time.'
  return [...done, advice].join('\n')
}

function commandIn(args: string): string | null {
  try {
    const { command } = JSON.parse(args) as { command?: unknown }
    return typeof command === 'string' ? command : null
  } catch {
    return null
  }
}

function shortLine(text: string): string {
  const line = oneLine(text)
  return line.length <= LONGEST_SUMMARY ? line : `${line.slice(0, LONGEST_SUMMARY - 1).toWellFormed()}…`
}
