import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { AskPullRequest } from '@beadloom/core/api/pull-requests/pull-request-requests.ts'
import { parseExecutionId, type ExecutionId, type ProjectId, type PullRequestId } from '@beadloom/core/records/ids.ts'
import { resolveSettings } from '@beadloom/core/project/project-config.ts'
import { isLivePullRequest, type PullRequest } from '@beadloom/core/review/pull-request.ts'
import type { ReviewVerdict } from '@beadloom/core/review/review.ts'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { Problem } from '@beadloom/server/src/ports/problem.ts'
import { projectId } from '@beadloom/server/src/hub/hub-kit.ts'
import { ForgeError, type ForgeRepository, type Forges, type NewPullRequest } from '@beadloom/server/src/ports/forge.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { PullRequestDriver } from '@beadloom/server/src/app/pull-requests/pull-request-driver.ts'
import {
  askPullRequest,
  cancelPullRequest,
  listPullRequests,
  type PullRequestDeps,
} from '@beadloom/server/src/api/pull-requests/pull-requests.ts'
import { eachTime } from '@beadloom/server/src/ports/once.ts'
import { askReview } from '@beadloom/server/src/api/reviews/reviews.ts'
import { seededRandom } from '@beadloom/server/src/store/testing.ts'
import { publishKit, workBranch, type PublishKit } from './publish-kit.ts'

export const repository: ForgeRepository = { kind: 'gitea', host: 'git.test', path: 'a/b', hasToken: true }

/** A forge with pull requests as usual: an existing one is found first, and each pair of branches has at most one. */
export class TestForge implements Forges {
  repository: ForgeRepository | null = repository
  readonly open_: (NewPullRequest & { number: number })[] = []
  /** Every request, also if it only changed a text. */
  readonly asked: NewPullRequest[] = []
  /** Runs before anything is opened; may throw the errors of a forge. */
  before: () => Promise<void> | void = () => {}
  /** Runs once it is open, before the answer. */
  after: () => Promise<void> | void = () => {}

  repositoryOf = async () => this.repository
  compareUrl = (_: ForgeRepository, base: string, head: string) => `https://git.test/a/b/compare/${base}...${head}`
  async open({ hasToken, host }: ForgeRepository, request: NewPullRequest) {
    if (!hasToken) throw new ForgeError('no-token', `there is no token for ${host}. Set one.`)
    this.asked.push(request)
    await this.before()
    const there = this.open_.find(({ head, base }) => head === request.head && base === request.base)
    const one = there ?? { ...request, number: this.open_.length + 1 }
    if (!there) this.open_.push(one)
    Object.assign(one, request)
    await this.after()
    return { url: `https://git.test/a/b/pulls/${one.number}`, number: one.number, existed: there !== undefined }
  }
}

/** Real git, a real store and time by hand; the test is the reviewer and the forge. */
export class PullRequestKit {
  readonly publish: PublishKit
  readonly forge = new TestForge()
  hub: Partial<Hub> = {}
  readonly #random = seededRandom(3)
  #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #deps: PullRequestDeps

  private constructor(publish: PublishKit) {
    this.publish = publish
    const found = {
      setup: null,
      test: 'true',
      checks: [],
      techStack: ['x'],
      tools: [],
      devcontainer: null,
      tests: [{ label: '', command: 'true' }],
      nested: [],
      untested: null,
      absent: [],
      services: [],
    }
    const settings = { ...resolveSettings({}, found, 'demo', 'main'), workBranch }
    publish.store.updateProject(projectId, { settings: JSON.stringify(settings), name: 'Demo' })
    this.#deps = this.#start()
  }

  /** `files`: the project's. */
  static async start(files: Record<string, string> = {}): Promise<PullRequestKit> {
    return new PullRequestKit(await publishKit(files))
  }

  get store() {
    return this.publish.store
  }
  readonly api = {
    ask: (project: ProjectId, input: AskPullRequest) => askPullRequest(this.#deps, project, input, eachTime),
    list: (project: ProjectId, filter: { limit: number; cursor?: string }) =>
      listPullRequests(this.#deps, project, filter),
    cancel: (id: PullRequestId) => cancelPullRequest(this.#deps, id, eachTime),
  }

  #start(): PullRequestDeps {
    const { store, clock, kit } = this.publish
    const hub = { ...kit.hub, ...this.hub }
    const schedule = { reason: () => null }
    const reviewing = { store, hub, schedule, scheduler: { nudge: () => {} }, random: this.#random }
    const driver = new PullRequestDriver({
      store,
      patient: store,
      hub,
      forges: this.forge,
      aside: createAside({ clock: systemClock }),
      askReview: (project) => askReview(reviewing, project, {}, eachTime),
      clock,
      log: createLogger('silent'),
    })
    this.#stop = new AbortController()
    this.#running = driver.run(this.#stop.signal)
    return {
      ...reviewing,
      pullRequests: driver,
      projects: {
        obstacle: ({ problem }) => (problem === null ? null : { code: 'project_broken', text: problem.text }),
      },
      executions: { cancel: (id) => this.end(id, 'CANCELLED') },
      views: { execution: () => undefined },
    }
  }

  /** Stops the old server entirely and starts a new one. */
  async restart(hub: Partial<Hub> = {}): Promise<void> {
    this.#stop.abort()
    await this.#running
    this.hub = hub
    this.#deps = this.#start()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await this.publish.close()
  }

  /** Merges verified work of a bead into the work branch. Returns its commit there. */
  async merged(id: string): Promise<string> {
    const { store, kit } = this.publish
    const { live, commit } = await this.publish.work(id, { [`${id}.txt`]: id })
    const { id: execution } = live
    const done = await kit.hub.integrate(projectId, workBranch, commit, `Merge ${id}`)
    if (done.result === 'conflict') throw new Error(`${id} is in conflict`)
    const session = sessionIdOf(execution, 1)
    store.startSession({ id: session, execution, number: 1, kind: 'verify', attempt: 1 })
    store.addVerifications(execution, [check(session, done.commit)])
    store.endExecution(execution, { state: 'COMPLETED', commit, detail: 'Done.' })
    return done.commit
  }

  async ask(title?: string): Promise<{ view: PullRequestView; fresh: boolean }> {
    const answer = await this.api.ask(projectId, title === undefined ? {} : { title })
    if (answer instanceof Problem) throw new Error(answer.message)
    return answer
  }

  row(id: string): PullRequest {
    const row = this.store.pullRequest(id as PullRequestId)
    if (!row) throw new Error(`no pull request ${id}`)
    return row
  }

  /** Plays the reviewer's part. */
  judge(id: string, verdict: ReviewVerdict = 'ready', issues: string[] = []): void {
    const review = parseExecutionId(id)
    this.store.judgeReview(review, {
      verdict,
      reasons: verdict === 'ready' ? [] : ['the reviewer says that it is not ready'],
      summary: 'It greets.',
      issues: issues.map((title) => ({ ...issue, title })),
    })
    this.end(review, 'COMPLETED')
  }

  end(id: ExecutionId, state: 'COMPLETED' | 'CANCELLED' | 'TIMEOUT'): void {
    const { store } = this
    if (store.execution(id)?.state === 'QUEUED' && state !== 'CANCELLED') store.startExecution(id, 9_999_999_999_999)
    if (state === 'COMPLETED') store.endExecution(id, { state, commit: store.review(id)!.to, detail: 'Judged.' })
    else if (state === 'TIMEOUT') store.endExecution(id, { state, reason: 'silence', detail: 'Nothing came.' })
    else store.endExecution(id, { state, detail: 'Cancelled.' })
    store.pipelineDone(id, 'status')
    store.fileReview(id)
    for (const step of ['bead', 'sync', 'cleanup'] as const) store.pipelineDone(id, step)
  }

  reviews(): ReviewView['id'][] {
    return this.store.reviews(projectId, { limit: 50 }).map(({ execution }) => execution)
  }

  /** Resolves with the row once this holds for it. */
  async when(id: string, holds: (row: PullRequest) => boolean): Promise<PullRequest> {
    while (!holds(this.row(id))) {
      await new Promise<void>((resolve) => {
        const leave = this.store.onChange(() => (leave(), resolve()))
      })
    }
    return this.row(id)
  }

  ended(id: string): Promise<PullRequest> {
    return this.when(id, ({ state }) => !isLivePullRequest(state))
  }

  remoteTip(): Promise<string | null> {
    const { kit, remote } = this.publish
    return kit.git(remote, 'rev-parse', `refs/heads/${workBranch}`).catch(() => null)
  }
}

const issue = {
  title: '',
  description: 'It is wrong.',
  priority: 1,
  type: 'bug',
  severity: 'low' as const,
  file_path: 'a.txt',
  line_numbers: [1],
  outside_diff: false,
}

const check = (session: ReturnType<typeof sessionIdOf>, commit: string) => ({
  attempt: 1,
  purpose: 'merge' as const,
  run: 1,
  step: 1,
  session,
  name: 'test',
  type: 'test' as const,
  command: 'sh test.sh',
  commit,
  passed: true,
  exitCode: 0,
  durationMs: 5,
  tool: 'generic',
  failures: null,
  collected: null,
  summary: '7 tests passed',
  digest: '',
  fingerprint: '',
  findings: [],
  verdict: null,
  at: 1,
})
