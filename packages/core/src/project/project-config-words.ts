/**
 * What a setting of `beadloom.json` is, in a sentence or two, by its dotted key (`*` for any name or place): what an
 * editor shows beside the key, and the dashboard beside the field.
 */
export const settingWords: Readonly<Record<string, string>> = {
  $schema: 'Where your editor finds this schema. Beadloom ignores it.',
  name: "The project's name for people. Default: the project's id.",
  techStack: 'Languages and tools, for the prompt. Default: detected from the files in the root folder.',
  image:
    "Base image of the project's containers. It needs glibc 2.28 or later, libstdc++ and git. Default: a Debian 12 image that Beadloom makes.",
  dockerfile:
    'A Dockerfile of the repository that makes the base image; system packages belong there. Not together with "image".',
  setup:
    "Installs dependencies, once for each state of the lock files, as the agent's user and with the network on. null: nothing to install. Default: detected.",
  test: 'The command that decides whether work is good: exit code 0. Default: detected.',
  agent:
    '"openai": the built-in agent. "codex", "claude", "opencode", "pi": those agents, as they are. "command": any command line. Default: "openai".',
  command:
    'The command line of the agent "command". The prompt comes on standard input; exit code 0 means that it is done.',
  agentVersion: 'The version of "codex", "claude", "opencode" or "pi". Default: the one that Beadloom was tried with.',
  agentArguments: 'Further arguments of "codex", "claude", "opencode" or "pi", each as it is: no shell reads them.',
  model: 'The model. "scripted" replays a recorded scenario; no AI. Default: the model of the server.',
  scenario: 'With the model "scripted": the name of the scenario.',
  network:
    'Network of the containers in which agents and tests run. "none": only the repository and the model can be reached. Default: "none".',
  baseBranch: 'The branch that work starts from. Default: the default branch of the repository.',
  workBranch: 'The branch that verified work is merged into. Default: "beadloom/work".',
  autopilot: 'true: every ready bead is queued by itself, once. false: a person queues. Default: false.',
  limits: 'Limits of each execution.',
  'limits.cpus': 'CPUs of each container. Default: 4, or what the machine has.',
  'limits.memoryMb': 'Memory of each container in MiB. Default: 8192, or what the machine has.',
  'limits.processes': 'Processes in each container. Default: 512.',
  'limits.executionTimeoutSeconds': 'Longest time of an execution, from its start. Default: 21600 (6 hours).',
  'limits.inactivityTimeoutSeconds':
    'Longest time without any output or request. Default: the same as executionTimeoutSeconds.',
  'limits.setupTimeoutSeconds': 'Longest time of "setup". Default: 1800.',
  'limits.testTimeoutSeconds': 'Longest time of "test" in the verification. Default: 1800.',
  'limits.maxSteps': 'Rounds of the built-in agent in one attempt. Default: 100.',
  'limits.maxTokens': 'Tokens that an execution may use, input and output together. Default: no limit.',
  'limits.maxTokensPerSession': 'Tokens that one session may use, input and output together. Default: no limit.',
  'limits.maxTokensPerDay':
    'Tokens that all executions of the project may use on one day (UTC), input and output together. Default: no limit.',
  'limits.maxSessions': 'Sessions of agents in one execution, over all retries. Default: 10.',
  verify:
    'The checks that decide whether work is good, in this order, each in the same clean checkout. Default: "test" alone; without it what the files of the repository say.',
  'verify.*.type': 'What it checks: decides which digest of its output the next attempt gets.',
  'verify.*.name': 'Its name in logs. Default: its type.',
  'verify.*.command': 'The command. Exit code 0: passed.',
  'verify.*.timeoutSeconds': 'Longest time. Default: limits.testTimeoutSeconds.',
  retry: 'When a run that failed for want of a container, of Docker or of an agent that ends well is made again.',
  'retry.retryCount': 'Runs after the first one, 0 to 10. Default: 0.',
  'retry.retryDelay': 'Milliseconds before the next run, at most 60000. Default: 1000.',
  'retry.retryBackoff':
    '"fixed": always retryDelay; "linear": retryDelay times the number of failed runs; "exponential": doubled each time. Default: "exponential".',
  'retry.retryOn': 'Parts of an error, in any case: only a failure that has one of them is retried. Default: all are.',
  'retry.retryMaxTime':
    'No run starts later than this many milliseconds after the first one. Default, and 0: no limit.',
  review: 'The reviewer, where it is another agent or another model than the one that works.',
  'review.agent': 'As "agent". Default: "agent".',
  'review.command':
    'The command line of the agent "command" when it reviews. The prompt comes on standard input; its standard output is one JSON document. Default: "command".',
  'review.model': 'The model that reviews. Default: "model".',
  tracker: 'What keeps the beads.',
  'tracker.write': 'false: beads are read, and nothing that happens to them is written there. Default: true.',
  verification: 'How work is verified.',
  'verification.maxAttempts': 'Fresh attempts until the tests pass. Default: 3.',
  beads: 'By bead id: a bead that another agent or command line should run.',
  'beads.*.agent': 'The agent of this bead.',
  'beads.*.command': 'The command line of this bead.',
}

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
