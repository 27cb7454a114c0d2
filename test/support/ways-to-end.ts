import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { FollowUpKind } from '@beadloom/core/bead/follow-up.ts'
import { git, writeFiles } from './repository.ts'
import { commitAndPush } from './shell-project.ts'
import type { World } from './world.ts'

/** One way in which an execution can end, and its effect on the bead. */
export type Row = {
  name: string
  agent?: string
  test?: string
  config?: object
  body?: object
  end: Pick<Execution, 'state' | 'reason'>
  /** The cause of its end, for people and for the follow-up. */
  says?: RegExp
  bead: BeadStatus
  followUp: FollowUpKind | null
  human?: boolean
  /** The remote's content at the end. */
  remote: 'nothing' | 'work'
  /** The place of the execution's work in the hub: on its branch or on a separate ref. */
  kept?: 'branch' | 'ref' | 'nothing'
  /** Runs before the bead is queued. */
  before?: (world: World, project: string) => Promise<void>
  during?: (world: World, execution: ExecutionView, remote: string) => Promise<void>
  /** The only way to its end, or one through the engine: it is tested on Docker too. */
  onDocker?: true
}

export const BEAD = 'ee-1'
const publish = commitAndPush(BEAD, 'End somehow')
const once = { verification: { maxAttempts: 1 } }
export const done = `cat > /dev/null; echo hello > greeting.txt; ${publish}`
const half = 'cat > /dev/null; echo half > half.txt; echo started'
const crash = "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60\n"
const scripted = { agent: 'openai', model: 'scripted', command: undefined }

export const rows: Row[] = [
  {
    name: 'COMPLETED',
    onDocker: true,
    agent: done,
    end: { state: 'COMPLETED', reason: null },
    bead: 'done',
    followUp: null,
    remote: 'work',
  },
  {
    name: 'FAILED verification_exhausted: tests fail to the last attempt',
    onDocker: true,
    agent: done,
    test: 'echo "FAIL it"; exit 1\n',
    config: once,
    end: { state: 'FAILED', reason: 'verification_exhausted' },
    bead: 'in_progress',
    followUp: 'tests_failing',
    remote: 'nothing',
    kept: 'branch',
  },
  {
    name: 'FAILED nothing_committed: nothing was done',
    agent: 'cat > /dev/null\n',
    config: once,
    end: { state: 'FAILED', reason: 'nothing_committed' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'FAILED no_progress: the same failure twice without a change',
    onDocker: true,
    agent: `cat > /dev/null; [ -f greeting.txt ] || { ${done} }\n`,
    test: 'echo "FAIL it"; exit 1\n',
    end: { state: 'FAILED', reason: 'no_progress' },
    bead: 'in_progress',
    followUp: 'tests_failing',
    remote: 'nothing',
    kept: 'branch',
  },
  {
    name: 'FAILED tests_failed: there is no such test command',
    agent: done,
    config: { test: 'no-such-runner' },
    end: { state: 'FAILED', reason: 'tests_failed' },
    bead: 'in_progress',
    followUp: 'tests_failing',
    remote: 'nothing',
    kept: 'branch',
  },
  {
    name: 'FAILED push_conflict: others changed the same lines meanwhile, and its agent does not join them',
    onDocker: true,
    agent: `cat > /tmp/prompt; grep -q 'CONFLICTS WITH OTHER WORK' /tmp/prompt && exit 0; echo started; until [ -f /tmp/go ]; do sleep 0.1; done; echo mine > README.md; ${publish}`,
    end: { state: 'FAILED', reason: 'push_conflict' },
    bead: 'in_progress',
    followUp: 'merge_conflict',
    human: true,
    remote: 'nothing',
    kept: 'branch',
    during: async (world, execution, remote) => {
      await world.printed(execution.id, 'started')
      const clone = world.newFolder(`clone-${execution.id}`)
      git(clone, 'clone', '--quiet', remote, '.')
      writeFiles(clone, { 'README.md': 'theirs\n' })
      git(clone, 'commit', '--quiet', '--all', '--message', 'Theirs')
      git(clone, 'push', '--quiet', 'origin', 'HEAD:main', 'HEAD:beadloom/work')
      for (const one of await world.containers.of(execution.id)) await world.containers.write(one, '/tmp/go')
    },
  },
  {
    name: 'FAILED infra_error: the agent crashed',
    onDocker: true,
    agent: `${half}; ${crash}`,
    end: { state: 'FAILED', reason: 'infra_error' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'FAILED infra_error: the setup failed, of what an execution before has left',
    onDocker: true,
    agent: `cat > /dev/null; echo no > package-lock.json; ${publish}`,
    test: 'exit 1\n',
    // The base's setup succeeds; otherwise nothing of the project would start.
    config: { setup: '[ ! -e package-lock.json ] || { echo no; exit 3; }', ...once },
    before: async (world, project) => void (await world.run(project, BEAD)),
    end: { state: 'FAILED', reason: 'infra_error' },
    bead: 'open',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'FAILED agent_failed: the agent ended with an error',
    onDocker: true,
    agent: `${half}; exit 3\n`,
    end: { state: 'FAILED', reason: 'agent_failed' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'FAILED agent_failed: the built-in agent repeats itself, and says so to who comes after it',
    config: { ...scripted, scenario: 'endless' },
    end: { state: 'FAILED', reason: 'agent_failed' },
    says: /the agent kept repeating itself after it was warned: 4 times the same call .*, read_file \{"path":"README\.md"\}\. Read its log/,
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'FAILED retries_exhausted: every run crashed',
    agent: `${half}; ${crash}`,
    body: { retryCount: 1, retryDelay: 1 },
    end: { state: 'FAILED', reason: 'retries_exhausted' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'FAILED turn_limit: the steps are used up',
    onDocker: true,
    config: { ...scripted, scenario: 'endless', limits: { maxSteps: 2 } },
    end: { state: 'FAILED', reason: 'turn_limit' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'FAILED budget_exhausted: the tokens are used up',
    config: { ...scripted, scenario: 'endless', limits: { maxTokens: 10 } },
    end: { state: 'FAILED', reason: 'budget_exhausted' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'BLOCKED',
    onDocker: true,
    agent: `${half}; echo "BLOCKED: no access to the database"\n`,
    end: { state: 'BLOCKED', reason: null },
    bead: 'blocked',
    followUp: 'blocked',
    human: true,
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'TIMEOUT by the clock',
    onDocker: true,
    agent: `${half}; sleep 100\n`,
    config: { limits: { executionTimeoutSeconds: 20 } }, // enough for a loaded machine to start several agents
    end: { state: 'TIMEOUT', reason: 'wall_clock' },
    bead: 'timeout',
    followUp: 'timeout',
    human: true,
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'TIMEOUT by silence',
    onDocker: true,
    agent: `${half}; sleep 100\n`,
    config: { limits: { inactivityTimeoutSeconds: 3 } },
    end: { state: 'TIMEOUT', reason: 'silence' },
    bead: 'timeout',
    followUp: 'timeout',
    human: true,
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'CANCELLED while it ran',
    onDocker: true,
    agent: `${half}; sleep 100\n`,
    end: { state: 'CANCELLED', reason: null },
    bead: 'open',
    followUp: null,
    remote: 'nothing',
    kept: 'ref',
    during: async (world, { id }) => {
      await world.printed(id, 'started')
      await world.api('POST', `/api/executions/${id}/cancel`)
    },
  },
]
