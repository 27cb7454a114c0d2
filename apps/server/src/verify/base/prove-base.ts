import { SILENT_SETUP } from '@beadloom/core/environment/setup-failures/end-of-setup.ts'
import { exitCodeWords } from '@beadloom/core/execution/failure/exit-code-words.ts'
import { missingLibrary } from '@beadloom/core/environment/setup-failures/missing-library.ts'
import { notFoundWords, ownImageOf } from '@beadloom/core/environment/setup-failures/not-found-words.ts'
import { unknownPackage } from '@beadloom/core/environment/setup-failures/unknown-package.ts'
import { registryTrouble } from '@beadloom/core/environment/setup-failures/registry-trouble.ts'
import { calledProgram, programIn } from '@beadloom/core/execution/failure/failing-checks.ts'
import { howToSet } from '@beadloom/core/execution/failure/describe-failure.ts'
import { refusedNote } from '@beadloom/core/egress/ledger.ts'
import { COMMAND_NOT_FOUND } from '@beadloom/core/execution/next-step.ts'
import { stepWords } from '@beadloom/core/records/verification.ts'
import { afterBuild } from '@beadloom/core/environment/base/after-build.ts'
import { judgeBase, type BaseCheck, type ProofEnd } from '@beadloom/core/environment/base/proof.ts'
import { isOfAVersion } from '@beadloom/core/environment/toolchains/of-a-version.ts'
import { toolchainTroubles } from '@beadloom/core/environment/toolchains/toolchain-words.ts'
import { UNTESTED_FIX, untestedText } from '@beadloom/core/environment/commands/untested.ts'
import { sessionIdOf, type ExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { durationText } from '@beadloom/core/text/duration.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { asSentence } from '@beadloom/core/text/sentence.ts'
import { shortened } from '@beadloom/core/text/shortened.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'
import { EndedEarly, endOfExit, isStoppedOutside } from '../../execution/ends.ts'
import { EngineError } from '../../ports/engine.ts'
import type { EnvironmentId } from '../../ports/sandbox.ts'
import { limited } from '../../process/within.ts'
import { packageOf } from '../../sandbox/agent-order.ts'
import { apartName, runApart, tryServices, type ApartDeps } from '../../sandbox/apart/apart-session.ts'
import { checkoutOf } from '../../sandbox/begin-session.ts'
import type { EnvironmentWish } from '../../sandbox/environment-wish.ts'
import type { ProjectEnvironments } from '../../sandbox/project-environment.ts'
import { secretsOf } from '../../sandbox/setup-secrets.ts'
import type { SessionFacts } from '../../sandbox/session-plan.ts'
import { networkOfSetup } from '../../sandbox/ways-out.ts'
import { StepReader } from '../step-reader.ts'
import { withTroubles } from '../service-troubles.ts'
import { outcomeOfStep } from '../step-outcome.ts'

export type BaseToProve = {
  /** It names the two sessions: `setup` is the first, the checks are the second. */
  id: ExecutionId
  project: ProjectId
  settings: ProjectSettings
  commit: string
  /** The checks' known results for it; null: they have to be run. */
  known: BaseCheck[] | null
  /** Called with the current step, for people. */
  onProgress: (line: string) => void
}

export type Proved = { end: Exclude<ProofEnd, { is: 'stopped' }>; checks: BaseCheck[] }

export type ProveDeps = ApartDeps & Pick<ExecutionDeps, 'secrets' | 'aside'> & { environments: ProjectEnvironments }

/**
 * Prepares a commit as for an agent and runs every check on it, in clean containers of its own. If a project has no
 * checks, or wants none proved, it only makes the agents' environment.
 *
 * Rejects when nothing is proved: the engine or the hub failed, somebody stopped a container, or `signal` aborted.
 */
export async function proveBase(deps: ProveDeps, base: BaseToProve, signal: AbortSignal): Promise<Proved> {
  const ms = base.settings.limits.executionTimeoutMs
  let isLate = false
  const reason = () => (isLate = true) // a wait for an engine rejects with words of its own
  try {
    return await limited({ clock: deps.clock, ms, or: signal, reason }, (either) => prove(deps, base, either))
  } catch (error) {
    signal.throwIfAborted()
    const broken = isLate ? { end: tooLate(ms), checks: [] } : brokenBy(error, base.settings)
    if (broken === null) throw error
    const refused = refusedNote(base.settings.allow, deps.store.egressOf(base.id))
    const end = withRefused(withToolchains(broken, base.settings), refused)
    return { ...broken, end: withLeftOut(end, deps.environments.leftOut(base.project)) }
  }
}

async function prove(deps: ProveDeps, base: BaseToProve, signal: AbortSignal): Promise<Proved> {
  const { settings, commit } = base
  if (settings.proveBase && settings.verify.length === 0 && settings.untested !== null)
    return { end: untold(settings.untested), checks: [] }
  const environment = await deps.environments.ensure(wishOf(deps, base, signal), commit)
  signal.throwIfAborted()
  if (!settings.proveBase || settings.verify.length === 0) {
    if (base.known === null) await withoutChecks(deps, base, environment, signal)
    return { end: { is: 'green' }, checks: [] }
  }
  const checks = afterBuild(base.known ?? (await checksAt(deps, base, environment, signal)))
  const end = withToolchains({ end: judgeBase(checks, ownImageOf(settings), settings.verify), checks }, settings)
  return { end: withLeftOut(end, deps.environments.leftOut(base.project)), checks }
}

function wishOf(deps: ProveDeps, base: BaseToProve, signal: AbortSignal): EnvironmentWish {
  const { id, project, settings, onProgress } = base
  const { setup, baseBranch, limits } = settings
  return {
    project,
    settings,
    agent: packageOf(settings),
    stopper: { signal },
    onProgress,
    onWait: async () => onProgress('waiting for the image that an execution is building'),
    setUp: async ({ environment, commit }, then) => {
      const secrets = secretsOf(deps, project, settings)
      onProgress(setup === null ? 'preparing the checkout' : 'running setup')
      const session = {
        id: sessionIdOf(id, 1),
        kind: 'setup',
        name: apartName(id, 'setup'),
        network: networkOfSetup(settings),
        git: checkoutOf(baseBranch, commit),
        work: { kind: 'setup', command: setup, timeoutMs: limits.setupTimeoutMs, secrets },
      } as const
      return runApart(deps, { ...session, project, settings, environment, signal }, then)
    },
  }
}

async function checksAt(
  deps: ProveDeps,
  { id, project, settings, commit, onProgress }: BaseToProve,
  environment: EnvironmentId,
  signal: AbortSignal,
): Promise<BaseCheck[]> {
  const { verify: steps, network, baseBranch } = settings
  onProgress('running the checks')
  const reader = new StepReader(deps.aside, steps)
  const session = {
    id: sessionIdOf(id, 2),
    kind: 'verify' as const,
    name: apartName(id, 'checks'),
    git: checkoutOf(baseBranch, commit),
    work: { kind: 'verify' as const, steps: [...steps], all: true as const },
    onEvent: reader.take,
    room: reader.room,
  }
  const { services } = settings
  const where = { project, settings, services, environment, network, signal, onProgress }
  try {
    return await runApart(deps, { ...session, ...where }, async (facts, _, troubles) =>
      (await checksIn(facts, reader, settings)).map((check) => withTroubles(check, troubles)),
    )
  } finally {
    reader.close()
  }
}

/** A service that no agent can have is as bad as a setup that fails, whatever the checks say. */
async function withoutChecks(
  deps: ProveDeps,
  { id, project, settings, onProgress }: BaseToProve,
  environment: EnvironmentId,
  signal: AbortSignal,
): Promise<void> {
  const { services, network } = settings
  if (services.length === 0) return
  const session = { id: sessionIdOf(id, 2), kind: 'verify' as const, name: apartName(id, 'services') }
  await tryServices(deps, { ...session, project, settings, services, environment, network, signal, onProgress })
}

/** An interrupted check failed by itself only if nobody else interrupted it. */
async function checksIn(facts: SessionFacts, reader: StepReader, { limits }: ProjectSettings): Promise<BaseCheck[]> {
  const { outcome, exit, reason, cause, detail } = facts
  const checks: BaseCheck[] = (await reader.ended()).map((end) => outcomeOfStep(end))
  const failing = checks.some(({ exitCode }) => exitCode !== 0)
  if (outcome === 'success' ? !failing : failing) return checks
  const known = !isStoppedOutside(exit, reason) && !exit.lost && cause !== 'out_of_memory'
  const broken = known && outcome !== 'success' ? await reader.broken() : null
  if (broken) return [...checks, outcomeOfStep(broken, detail)]
  throw new EndedEarly(endOfExit(exit, limits.memoryBytes, reason))
}

/** Names the first: many submodules are absent for the same reason. */
const inShort = ([first, ...more]: readonly string[]): string[] =>
  first === undefined
    ? []
    : [first, ...(more.length === 0 ? [] : [`"beadloom environment" lists ${more.length} more.`])]

/** Adds missing toolchains and submodules: they are the likeliest reason. */
function withToolchains({ end, checks }: Proved, { toolchains, absent }: ProjectSettings): Proved['end'] {
  if (end.is !== 'broken' || (end.by !== 'setup' && end.by !== 'command' && end.by !== 'checks')) return end
  const isOfVersion = end.by !== 'checks' || checks.some(({ digest }) => isOfAVersion(digest))
  const troubles = [...(isOfVersion ? toolchainTroubles(toolchains) : []), ...inShort(absent)]
  // The program is missing because its toolchain cannot be had: it is no use to ask for it.
  const fix = end.by === 'command' && toolchains.missing.length > 0 ? '' : end.fix
  return troubles.length === 0 ? end : { ...end, fix: `${oneLine(troubles.join(' '))} ${fix}`.trim() }
}

/** Adds the project's chosen image if it could not be had: that is a likely reason, too. */
const withLeftOut = (end: Proved['end'], text: string | null): Proved['end'] =>
  end.is === 'broken' && text !== null ? { ...end, fix: `${text} ${end.fix}`.trim() } : end

/** Tells which requests of `setup` were refused: the likeliest reason that it failed. */
const withRefused = (end: Proved['end'], refused: string | null): Proved['end'] =>
  end.is === 'broken' && end.by === 'setup' && refused !== null ? { ...end, fix: refused } : end

const untold = (file: string): Proved['end'] => ({
  is: 'broken',
  by: 'command',
  text: untestedText(file),
  fix: UNTESTED_FIX,
})

const tooLate = (ms: number): Proved['end'] => ({
  is: 'broken',
  by: 'time',
  text: `Setup and checks of the base did not end within ${durationText(ms)}.`,
  fix: 'Make them faster, or raise "limits.executionTimeoutSeconds" in beadloom.json.',
})

/** The end that the project is to blame for; null: it says nothing about the project. */
function brokenBy(error: unknown, settings: ProjectSettings): Proved | null {
  const { limits } = settings
  if (error instanceof EngineError)
    return error.kind === 'image-missing' || error.kind === 'image-build-failed' ? withoutImage(error.message) : null
  if (!(error instanceof EndedEarly) || error.end.state !== 'FAILED') return null
  const what = error.end.failure?.what
  if (what?.kind === 'setup_failed') return setupFailed(what, error.end.failure?.more ?? '', settings)
  if (what?.kind === 'secret_missing') return secretMissing(what, error.end.failure?.more ?? '')
  if (what?.kind === 'service_failed') return serviceFailed(what, error.end.failure?.more ?? '')
  if (what?.kind !== 'out_of_memory') return null
  const memory = `${Math.round(limits.memoryBytes / 1024 ** 2)} MiB`
  const text = `Setup or a check of the base used up the ${memory} of its container.`
  return { end: { is: 'broken', by: 'memory', text, fix: 'Raise "limits.memoryMb" in beadloom.json.' }, checks: [] }
}

/** Every bead of the project shows it. */
const LONGEST_FIRST = 500

/** The engine's adapter says what to do in its first line; the others are a build's output. */
export function withoutImage(message: string): Proved {
  const [first = '', ...lines] = message.split('\n')
  const sentence = oneLine(first)
  const text = shortened(sentence, LONGEST_FIRST)
  const printed = text !== sentence ? message : lines.join('\n')
  const checks = printed === '' ? [] : [asCheck('image', '', null, printed)]
  return { end: { is: 'broken', by: 'image', text: asSentence(text), fix: '' }, checks }
}

function setupFailed(
  { command, exitCode }: { command: string; exitCode: number | null },
  more: string,
  settings: ProjectSettings,
): Proved {
  const how = exitCode === null ? 'did not end in time' : `failed with exit code ${exitCode}`
  const notFound = notFoundFix(exitCode, more, settings)
  // If its own words give the reason, they come before missing parts.
  const said = registryTrouble(more) ?? unknownPackage(more) ?? missingLibrary(more) ?? exitCodeWords(exitCode, more)
  const why = notFound === null ? said : null
  const silent = why === null && more.includes(SILENT_SETUP) ? SILENT_SETUP : null
  const text = [`Setup${stepWords({ name: '', command })} ${how}.`, why ?? silent ?? ''].join(' ').trim()
  const fix = notFound ?? (why === null ? 'Correct "setup" in beadloom.json, or what it installs.' : '')
  return { end: { is: 'broken', by: 'setup', text, fix }, checks: [asCheck('setup', command, exitCode, more.trim())] }
}

/** Missing toolchains are reported in any case. Null: it found all that it called. */
function notFoundFix(exitCode: number | null, more: string, settings: ProjectSettings): string | null {
  const called = calledProgram(more)
  if (exitCode !== COMMAND_NOT_FOUND && called === null) return null
  if (settings.toolchains.missing.length > 0) return ''
  return notFoundWords(called ?? programIn({ digest: more, summary: '' }), ownImageOf(settings))
}

function secretMissing(missing: { project: string; names: readonly string[] }, more: string): Proved {
  const text = `Setup needs ${missing.names.join(' and ')}, which nobody has set on this server.${more}`
  const fix = `Set it: ${howToSet(missing)}.`
  return { end: { is: 'broken', by: 'secret', text, fix }, checks: [] }
}

function serviceFailed({ service, detail }: { service: string; detail: string }, more: string): Proved {
  const text = `The service ${oneLine(service)} ${oneLine(detail)}.`
  const fix = 'Correct it under "services" in beadloom.json; its last lines say more.'
  const checks = more.trim() === '' ? [] : [asCheck(`service ${service}`, '', null, more.trim())]
  return { end: { is: 'broken', by: 'service', text, fix }, checks }
}

/** Listed with the checks, where people look for output. */
const asCheck = (name: string, command: string, exitCode: number | null, digest: string): BaseCheck => ({
  name,
  type: 'custom',
  command,
  passed: false,
  exitCode,
  durationMs: 0,
  tool: 'generic',
  failures: null,
  collected: null,
  summary: `${name} failed`,
  digest,
  findings: [],
})
