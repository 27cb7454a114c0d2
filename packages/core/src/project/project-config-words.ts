import { settingsOfBudgets } from '../budget/budget-settings.ts'

/**
 * A description of each setting of `beadloom.json`, in a sentence or two, by its dotted key (`*` for any name or
 * place). Editors show it beside the key, and the dashboard beside the field.
 */
export const settingWords: Readonly<Record<string, string>> = {
  $schema: 'Where your editor finds this schema. Beadloom ignores it.',
  name: "Display name of the project, also in the prompt. Default: the project's id.",
  techStack: 'Languages and tools, for the prompt. Default: detected from the files in the root folder.',
  image:
    "Base image of the project's containers. It needs glibc 2.28 or later, libstdc++ and git. Default: a Debian 12 image that Beadloom builds.",
  dockerfile:
    'A Dockerfile in the repository from which the base image is built; system packages belong there. Cannot be combined with "image".',
  devcontainer:
    'The devcontainer.json to use if there are several, or false: none. Default: the only one. An "image" or "dockerfile" overrides it.',
  toolchains:
    'Toolchains of Beadloom\'s own image by their names, each with a version or a range ("1.24", ">=3.12"), or false: not installed. They override the files in the root folder. Cannot be combined with "image" or "dockerfile".',
  engine:
    'The engine that runs its containers: "local", or one that config.json of the server names. Default: the one that the server uses for projects that name none.',
  setup:
    "The command that installs dependencies. It runs once for each state of the lock files, as the agent's user and with network access. null: nothing to install. Default: detected.",
  env: 'Variables of the environment of setup, checks and agents. Everybody who reads the repository can read them.',
  secrets:
    'Names of secrets that "setup" needs, such as a token of a private registry. Only "setup" gets them, as environment variables; their values are kept on the server: beadloom secret set PROJECT NAME.',
  services:
    'Services beside agents and checks, such as a database, each by the host name under which they find it; at most 8. Fresh for each attempt and each verification. Default: those of the compose file that a devcontainer names. {}: none.',
  'services.*.image': 'Its image.',
  'services.*.env': 'Its environment.',
  'services.*.command':
    "The command that replaces its image's command: a line, which no shell reads, or its words one by one.",
  'services.*.options':
    'As in GitHub Actions: --health-cmd says when it is ready. Other health options are ignored, and all others refused.',
  'services.*.health':
    "A command line in its container that succeeds when it is ready. Default: the image's own health check; without one it is ready when it has run for a second.",
  'services.*.ports':
    'Ignored: agents and checks reach every port of a service by its name, and nothing outside reaches any.',
  'services.*.startTimeoutSeconds': 'How long it may take to be ready, at most 600. Default: 60.',
  'services.*.cpus': 'CPUs for it. Default: 2, or what the machine has.',
  'services.*.memoryMb': 'Memory for it, in MiB. Default: 1024, or what the machine has.',
  'services.*.processes': 'Processes in it. Default: 256.',
  test: 'The command that decides whether work is good: exit code 0 means yes. Default: detected.',
  agent:
    '"openai": the built-in agent. "codex", "claude", "opencode", "pi": those agents, unchanged. "command": any command line. Default: "openai".',
  command:
    'The command line of the agent "command". It gets the prompt on standard input; exit code 0 means that it is done.',
  agentVersion:
    'The version of "codex", "claude", "opencode" or "pi", as "1.2.3". Default: the one that Beadloom was tested with.',
  agentArguments: 'More arguments for "codex", "claude", "opencode" or "pi", passed as they are: no shell reads them.',
  model: 'The model. "scripted" is a demo: it replays a recorded run, without AI. Default: the model of the server.',
  scenario: 'With the model "scripted": the name of the scenario.',
  network:
    'Network of the containers in which agents and tests run. "none": they reach only the repository and the model. {"allow": ["packages.example.com"]}: those hosts as well, and "setup" no others; {"allow": []}: "setup" and builds of an image have no network either. Default: "none".',
  'network.allow':
    'Hosts that can be reached, through a proxy of the server: "packages.example.com", "*.example.org" for every name below it, "example.org:8443" for a port other than 443 and 80.',
  baseBranch: "The branch that work starts from. Default: the repository's default branch.",
  workBranch: 'The branch that verified work is merged into. Default: "beadloom/work".',
  commits:
    '"squash": the work of a bead becomes one commit on the work branch. "keep": the commits of its agent stay, with a merge if other work came first. Default: "keep".',
  author:
    'Author of commits, as "Ada Lovelace <ada@example.org>". Default: the person who ran the bead, or the user.name and user.email of git for the user who runs the server; the agent is named as co-author.',
  committer: 'Committer of commits, in the same form. Default: the author.',
  autopilot: 'true: every ready bead is queued automatically, once. false: a person queues beads. Default: false.',
  warm: 'How many containers are opened ahead, so that the next executions start faster, 0 to 8. Each is used once. Default: 1.',
  slots: 'How the project shares the slots of its engine with other projects.',
  'slots.limit': 'The most slots that the project may have at once, 1 to 10000. Default: no limit of its own.',
  'slots.weight':
    'Its share of the slots when several projects have work, 1 to 100: a project with 3 gets three times as many as one with 1. Default: 1.',
  limits: 'Limits of each execution.',
  'limits.cpus': 'CPUs for each container. Default: 4, or what the machine has.',
  'limits.memoryMb': 'Memory for each container, in MiB. Default: 8192, or what the machine has.',
  'limits.processes': 'Processes in each container. Default: 512.',
  'limits.executionTimeoutSeconds':
    'How long an execution may take. Time in the queue does not count, nor time while the server was stopped. Default: 21600 (6 h).',
  'limits.inactivityTimeoutSeconds':
    'How long an execution may go without output, a model call or a git request. Default: the same as executionTimeoutSeconds.',
  'limits.setupTimeoutSeconds': 'How long "setup" may take. Default: 1800.',
  'limits.testTimeoutSeconds': 'How long "test" may take in a verification. Default: 1800.',
  'limits.maxSteps': 'Rounds of the built-in agent in one attempt. Default: 100.',
  ...Object.fromEntries(settingsOfBudgets('beadloom.json').map(({ key, words }) => [`limits.${key}`, words])),
  'limits.warnAtPercent':
    'Percentage of a token or money limit at which people are warned, and the built-in agent for the first time, 1 to 100. Default: 75 for people, 70 for the agent.',
  'limits.answerTimeoutSeconds':
    'With "onLimit": "ask" or "onBlocked": "wait", how long an execution waits for a person before it ends. Default: 86400 (1 day).',
  'limits.pauseSeconds':
    'How long a paused execution waits for a person to resume it, if the person who paused it names no time. Then it is stopped, and its work is saved. Default: 86400 (1 day).',
  onLimit:
    'What happens at a limit of tokens or money. "ask": the execution waits, and a person grants more or stops it. "stop": it ends. Default: "stop".',
  onBlocked:
    'What happens when an agent ends with a question (BLOCKED:). "wait": the execution waits with its container, and the same conversation continues with your answer. "end": it ends as BLOCKED, and your answer starts a new one. Default: "end".',
  'limits.maxSessions': 'Agent sessions in one execution, across all retries. Default: 10.',
  verify:
    'The checks that decide whether work is good, in this order, each in the same clean checkout. Default: "test" alone; without it, the detected checks. []: nothing is checked, and whatever an agent commits is taken.',
  'verify.*.type': 'The kind of check. It decides how the output is digested for the next attempt.',
  'verify.*.name': 'Its name in logs. Default: its type.',
  'verify.*.command': 'The command. Exit code 0: passed. Every step but a judge needs it.',
  'verify.*.folder': 'The folder in which the command runs. Default: the root folder.',
  'verify.*.paths':
    'Files and folders: the check runs only for work that changes one of them, or a file that no check names. On the base every check runs. Default: it always runs.',
  'verify.*.prompt':
    'Only for a judge: the question to a model about the work. It sees the bead and the diff, and answers yes or no with reasons.',
  'verify.*.model': "Only for a judge: the model that is asked. Default: the project's.",
  'verify.*.required':
    'Only for a judge: whether the work needs its yes. false: its opinion is shown and decides nothing. Default: true.',
  'verify.*.timeoutSeconds': 'How long it may take. Default: limits.testTimeoutSeconds; 300 for a judge.',
  retry: 'When an execution is retried after the container, Docker, the agent or its model failed.',
  'retry.retryCount': 'Retries after the first start, 0 to 10. Default: 0.',
  'retry.retryDelay': 'Milliseconds before a retry, at most 60000. Default: 1000.',
  'retry.retryBackoff':
    '"fixed": always retryDelay; "linear": retryDelay times the number of failures; "exponential": doubled each time. Default: "exponential".',
  'retry.retryOn':
    'Parts of an error message, kinds of failures (model_busy) or their other names (rate limit), case ignored. Only a failure with one of them is retried. Default: every failure is retried.',
  'retry.retryMaxTime':
    'No retry starts later than this many milliseconds after the first start. 0: no limit. Default: no limit.',
  freshStarts:
    'When a failed built-in agent begins again in its session, with a fresh context that is told what went wrong.',
  'freshStarts.retryOnFailure':
    'true: the agent begins again, and the checks run in its workspace each time it says that it is done. Default: false.',
  'freshStarts.maxRetries': 'How often the agent begins again after its first attempt, 0 to 10. Default: 3.',
  'freshStarts.retryCondition':
    'The failures after which the agent begins again: "BuildErrors", "TestFailures", "ToolErrors", "MaxStepsReached" (also for loops), several of them, "AllFailures" or "None". Default: ["AllFailures"].',
  'freshStarts.retryPromptTemplate':
    'The text that it is told, with {{originalTask}}, {{error}}, {{lastThought}}, {{lastAction}} and {{observation}}. null: the default. Default: the text that Beadloom comes with.',
  review: 'The reviewer, if it is not the agent and model that do the work.',
  'review.agent':
    'The agent that reviews, like "agent". Default: "command" if "review.command" is set, else the value of "agent".',
  'review.command':
    'The command line of the agent "command" when it reviews. It gets the prompt on standard input; its standard output is one JSON document. Default: the value of "command".',
  'review.model': 'The model that reviews. Default: the value of "model".',
  planning: 'Big beads are planned by an architect first, and done phase by phase.',
  'planning.when':
    'Which beads are planned before work on them begins. "auto": epics, features, and beads with the label "plan". "always": every bead. "never": none. A bead that has a plan always follows it. Default: "auto", but "never" if "agent" is "command" and nothing else plans.',
  'planning.approve':
    '"ask": work begins when a person has approved the plan, and no container waits meanwhile. "never": it begins at once. Default: "never".',
  'planning.agent':
    'The agent that plans, like "agent". Default: "command" if "planning.command" is set, else the value of "agent".',
  'planning.command':
    'The command line of the agent "command" when it plans. It gets the prompt on standard input; its standard output is one JSON document. Default: the value of "command".',
  'planning.model': 'The model that plans. Default: the value of "model".',
  'planning.maxParallelSubtasks': 'Subtasks of a phase that may run at the same time, 1 to 20. Default: 3.',
  'planning.checkpoint':
    '"phase": after each phase a person decides whether the next one begins. "never": they follow each other. Default: "never".',
  tracker: 'The tracker that keeps the beads.',
  'tracker.write': 'false: Beadloom reads beads and writes no change back. Default: true.',
  verification: 'How work is verified.',
  'verification.maxAttempts': 'Fresh attempts until the tests pass. Default: 3.',
  'verification.redGreen':
    'New tests of verified work also run on the commit where it started, to see whether they fail there. Default: on.',
  'verification.proveBase':
    'Before anything starts, setup and all checks run on the commit that beads start from: failures there do not count against an agent, and if nothing passes, nothing starts. false: for beads that exist to make the checks pass. Default: on.',
  'verification.acceptUnchecked':
    'true: work on code whose tests could not run on the base is accepted, with a note that it is not checked. false: such work ends as not checked and waits for a person. Default: false.',
  'verification.secrets':
    'Work that adds what looks like a key or a password. "refuse": the attempt fails until the secret is removed or a person allows it. "tell": the work is accepted, with a note. "off": Beadloom does not look for it. Default: "refuse".',
  'verification.originalTests':
    'Work that changes tests is checked once more with the old test files. If a test failed before the work and passes only because it was changed, the attempt fails. If a test passed before and its old version now fails: with "tell", the reviewer and people are told; with "refuse", a person has to allow it. "off": the old files are not run. Default: "tell".',
  'verification.elsewhere':
    'Changes to files that run elsewhere once they are published (CI, git hooks, editors, installations, images). A person has to allow some of them, unless the bead names them. "ci": those that CI runs, if the project has a remote. "all": all of them. "tell": none. People are always told of them. Default: "ci".',
  beads: 'By bead id: another agent, command line or planning for this bead.',
  'beads.ignore':
    'Beads that are not work, as "label:NAME", "type:NAME" or "id:NAME"; * matches anything. They are not on the board and never start, but others wait for them. Default: the entries that Gas Town keeps besides the work.',
  'beads.*.agent': 'The agent for this bead.',
  'beads.*.command': 'The command line for this bead.',
  'beads.*.planning': 'Whether this bead is planned first.',
  'beads.*.planning.when': 'Like "planning.when", for this bead.',
  'beads.*.planning.approve': 'Like "planning.approve", for this bead.',
}

/**
 * Descriptions for a form, if those for the file do not fit: a form has no `null` and no `true`, names other fields by
 * their labels, and shows the effective value anyway.
 */
const formWords: Readonly<Record<string, string>> = {
  setup:
    "Installs dependencies, once for each state of the lock files, as the agent's user and with network access. Empty: detected.",
  test: 'The command that decides whether work is good: exit code 0 means yes. Empty: detected.',
  autopilot: 'On: every ready bead is queued automatically, once. Off: a person queues beads.',
  'slots.limit': 'The most slots that the project may use at once. Empty: no limit of its own.',
  'slots.weight':
    'Its share of the slots when several projects have work: a project with 3 gets three times as many as one with 1.',
  'limits.inactivityTimeoutSeconds':
    'How long an execution may go without any output or request. Empty: as long as the execution may take.',
  'limits.setupTimeoutSeconds': 'How long the setup may take.',
  'limits.testTimeoutSeconds': 'How long one check may take.',
  'limits.maxTokens': 'Tokens that an execution may use, input and output together. Empty: no limit.',
  verify: 'The checks that decide whether work is good, in this order, each in the same clean checkout.',
  command: "The agent's command line. It gets the prompt on standard input; exit code 0 means that it is done.",
  'retry.retryDelay': 'Time before a retry; at most 1 min.',
  'retry.retryBackoff':
    'fixed: always the same delay; linear: it grows evenly with each failure; exponential: it doubles each time.',
  'retry.retryOn':
    'Parts of an error message, kinds of failures (model_busy) or their other names (rate limit), one a line, case ignored. Only a failure with one of them is retried. Empty: every failure is retried.',
  'retry.retryMaxTime': 'No retry starts later than this after the first start. Empty, or 0: no limit.',
  'freshStarts.retryOnFailure':
    'If the built-in agent fails, it begins again in its session and is told what went wrong. The checks run in its workspace each time it says that it is done. Other agents do not have this.',
  'freshStarts.maxRetries': 'How often the agent begins again after its first attempt.',
  'freshStarts.retryCondition': 'The failures after which the agent begins again. Running out of steps includes loops.',
  'review.model': 'The model that reviews. Empty: same as the worker.',
  'review.agent': 'The agent that reviews. Empty: same as the worker.',
  'review.command':
    "The reviewer's command line. It gets the prompt on standard input; its standard output is one JSON document. Empty: the agent's command line.",
  secrets: 'Environment variables that only setup gets. Their values are stored on this server and never shown.',
  services:
    'Containers that run beside agents and checks, by host name. Each attempt and each verification gets fresh ones.',
  devcontainer:
    'The image that the devcontainer of the repository asks for, and the tools installed in it. An image or a Dockerfile in beadloom.json overrides it.',
  toolchains:
    "The tools that Beadloom's own image gets because the files in the root folder or beadloom.json ask for them, and where they come from.",
  'planning.when':
    'Which beads are planned before work on them begins. auto: epics, features, and beads with the label plan; never: only beads that already have a plan are done phase by phase.',
  'planning.approve': 'ask: work begins once a person has approved the plan; never: it begins at once.',
  'planning.agent': 'The agent that plans. Empty: same as the worker.',
  'planning.model': 'The model that plans. Empty: same as the worker.',
  'planning.maxParallelSubtasks': 'How many subtasks of a phase may run at the same time.',
  'planning.checkpoint':
    'phase: after each phase a person decides whether the next one begins; never: they follow each other.',
  'verification.proveBase':
    'Before anything starts, setup and all checks run on the commit that beads start from: failures there do not count against an agent, and if nothing passes, nothing starts. Turn it off if beads exist to make the checks pass.',
  'verification.acceptUnchecked':
    'On: work on code whose tests could not run on the base is accepted, with a note that it is not checked. Off: such work waits for a person.',
  'verification.secrets':
    'Work that adds what looks like a key or a password. refuse: the attempt fails until the secret is removed or a person allows it; tell: the work is accepted, with a note; off: Beadloom does not look for it.',
  'verification.originalTests':
    'Work that changes tests is checked once more with the old test files. If a test failed before the work and passes only because it was changed, the attempt fails. If a test passed before and its old version now fails, tell: people and the reviewer are told; refuse: a person has to allow it; off: the old files are not run.',
  'verification.elsewhere':
    'Changes to files that run elsewhere once they are published, and that the bead does not name. A person has to allow some of them. ci: those that CI runs, if the project has a remote; all: also git hooks, editors, installations and images; tell: none.',
  'tracker.write': 'On: changes to beads are written back to their tracker. Off: beads are only read.',
}

/** The help text beside a setting's field in a form; '' for an unknown key. */
export const settingHelp = (key: string): string => formWords[key] ?? settingWords[key] ?? ''
