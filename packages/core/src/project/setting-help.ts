import { settingWords } from './project-config-words.ts'

/**
 * What a form says beside a field, where the words for the file would not do: a form has no `null` and no `true`, calls
 * other fields by their labels, and shows the value that holds anyway.
 */
const formWords: Readonly<Record<string, string>> = {
  setup:
    "Installs dependencies, once for each state of the lock files, as the agent's user and with the network on. Empty: what the repository's files say.",
  test: "The command that decides whether work is good: it passes with exit code 0. Empty: what the repository's files say.",
  autopilot: 'Every ready bead is queued by itself, once. When it is off, a person queues.',
  'limits.inactivityTimeoutSeconds':
    'Longest time without any output or request. Empty: as long as the execution may take.',
  'limits.setupTimeoutSeconds': 'Longest time that the setup may take.',
  'limits.testTimeoutSeconds': 'Longest time that one check may take.',
  'limits.maxTokens': 'Tokens that an execution may use, input and output together. Empty: no limit.',
  verify: 'The checks that decide whether work is good, in this order, each in the same clean checkout.',
  command: "The agent's command line. The prompt comes on standard input; it is done when it ends with exit code 0.",
  'retry.retryDelay': 'Before the next run; at most 60 seconds.',
  'retry.retryBackoff':
    'fixed: always the same delay; linear: it grows evenly with each failed run; exponential: it doubles each time.',
  'retry.retryOn': 'Parts of an error, in any case: only a failure that has one of them is retried. Empty: all are.',
  'retry.retryMaxTime': 'No run starts later than this after the first one. Empty, or 0: no limit.',
  'review.model': 'The model that reviews. Empty: the one that works.',
  'review.agent': 'The agent that reviews. Empty: the one that works.',
  'review.command':
    "The reviewer's command line. The prompt comes on standard input; its standard output is one JSON document. Empty: the agent's command line.",
  'tracker.write': 'What happens to beads is written to their tracker. When it is off, beads are only read.',
}

export const settingHelp = (key: string): string => formWords[key] ?? settingWords[key] ?? ''
