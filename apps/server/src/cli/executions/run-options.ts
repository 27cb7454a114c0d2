import { Option, type Command } from 'commander'
import { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { parseDuration } from '@beadloom/core/text/duration.ts'
import { retryBackoffs, type RetryInput } from '@beadloom/core/records/retry.ts'
import type { FreshStartsInput } from '@beadloom/core/execution/fresh-starts/fresh-starts.ts'
import { NO_DURATION, NO_NUMBER, retryProblem } from '@beadloom/core/execution/retry-words.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

const flags: Record<keyof RetryInput, string> = {
  retryCount: '--retry-count',
  retryDelay: '--retry-delay',
  retryBackoff: '--retry-backoff',
  retryOn: '--retry-on',
  retryMaxTime: '--retry-max-time',
}

/** Adds the five fields of a retry policy. A missing field takes the project's value. */
export const addRetryOptions = (command: Command): Command =>
  command
    .option('--retry-count <n>', 'how often to retry when the container, Docker, the agent or its model fails: 0 to 10')
    .option('--retry-delay <time>', 'wait before a retry: milliseconds, or a time such as 30s; at most 60s')
    .addOption(new Option('--retry-backoff <how>', 'how the delay grows').choices(retryBackoffs))
    .option(
      '--retry-on <text>',
      'retry only if the error has this text, or is of this kind (rate limit, timeout, network error); can be repeated',
      collect,
    )
    .option('--retry-max-time <time>', 'no retry later than this after the first start, such as 5m or 2h; 0: no limit')

/**
 * Adds options for fresh starts of the built-in agent within its session; the retries above repeat an execution's step.
 */
export const addFreshStartOptions = (command: Command): Command =>
  command
    .option(
      '--retry-on-failure',
      'let the built-in agent that has failed (checks, tools, steps) begin again in its session, and tell it why',
    )
    .option('--no-retry-on-failure', 'turn that off for this execution, if the project has it on')
    .option('--max-retries <n>', 'how often it may begin again: 0 to 10; implies --retry-on-failure')

/** Throws a `CliError`. */
export function freshStartsOf({
  retryOnFailure,
  maxRetries,
}: Record<string, unknown>): Pick<FreshStartsInput, 'retryOnFailure' | 'maxRetries'> {
  if (maxRetries === undefined) return typeof retryOnFailure === 'boolean' ? { retryOnFailure } : {}
  const given = oneLiner(String(maxRetries)).slice(0, 40)
  const number = wholeNumber(String(maxRetries))
  if (number === null) throw new CliError(`--max-retries ${given}: ${NO_NUMBER}`, exitCode.usage)
  const parsed = QueueExecution.safeParse({ maxRetries: number })
  if (!parsed.success) throw new CliError(`--max-retries ${given}: Give a number from 0 to 10.`, exitCode.usage)
  return { retryOnFailure: retryOnFailure !== false, maxRetries: number }
}

export const collect = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text]

/**
 * The policy that the options describe, within the API's limits. Throws one `CliError` that names every wrong option.
 */
export function retryOf(options: Record<string, unknown>): RetryInput {
  const problems: string[] = []
  const complain = (field: keyof RetryInput, text: string): void => {
    const given = field === 'retryOn' ? '' : ` ${oneLiner(String(options[field])).slice(0, 40)}`
    problems.push(`${flags[field]}${given}: ${text}`)
  }
  const read = (field: keyof RetryInput, parse: (text: string) => number | null, otherwise: string): object => {
    if (options[field] === undefined) return {}
    const value = parse(String(options[field]))
    if (value === null) complain(field, otherwise)
    return value === null ? {} : { [field]: value }
  }
  const input = {
    ...read('retryCount', wholeNumber, NO_NUMBER),
    ...read('retryDelay', parseDuration, NO_DURATION),
    ...read('retryMaxTime', parseDuration, NO_DURATION),
    ...(options['retryBackoff'] === undefined ? {} : { retryBackoff: options['retryBackoff'] }),
    ...(options['retryOn'] === undefined ? {} : { retryOn: options['retryOn'] }),
  }
  const parsed = QueueExecution.safeParse(input)
  for (const issue of parsed.error?.issues ?? []) {
    const field = issue.path[0] as keyof RetryInput
    complain(field, retryProblem(field, issue))
  }
  if (problems.length > 0) throw new CliError(problems.join('\n'), exitCode.usage)
  return input as RetryInput
}

const wholeNumber = (text: string): number | null => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : null)
