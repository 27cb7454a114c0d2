import type { JudgeStep, VerifyStep } from '../records/verification.ts'
import { inFolder } from '../environment/commands/nested-projects.ts'
import type { Detected } from '../environment/commands/detected.ts'
import type { ProjectConfig } from './project-config-schema.ts'

/** A judge reads and answers once; a model without an answer by then will not give one. */
const JUDGE_TIMEOUT_MS = 300_000

/** `verify` as given; else `test` alone if a person chose it; else what was detected. */
export function checksOf(
  config: ProjectConfig,
  found: Detected,
  testTimeoutMs: number,
): { verify: VerifyStep[]; unverified: boolean; judges: JudgeStep[] } {
  if (config.verify) {
    const steps = named(config.verify, testTimeoutMs)
    const verify = steps.filter((step) => 'command' in step)
    return { verify, unverified: verify.length === 0, judges: steps.filter((step) => 'prompt' in step) }
  }
  const verify =
    config.test === undefined
      ? detectedSteps(found, testTimeoutMs)
      : commandsOf([{ type: 'test', command: config.test }], testTimeoutMs)
  return { verify, unverified: false, judges: [] }
}

/** A build first, because nothing works without it, and the linter last; none if there is no test command. */
export const detectedSteps = (found: Detected, testTimeoutMs: number): VerifyStep[] =>
  commandsOf(detectedChecks(found), testTimeoutMs)

/** The same, in the form of `beadloom.json`. */
export function detectedChecks({ test, tests, checks, nested }: Detected): GivenStep[] {
  if (test === null) return []
  const own = inOrder(testsOf(tests), checks)
  const below = nested.flatMap((one) =>
    inOrder(testsOf(one.tests), one.checks).map((step) => ({
      type: step.type,
      name: `${step.type} ${one.folder}${step.name?.slice(step.type.length) ?? ''}`.slice(0, LONGEST_NAME),
      command: step.command,
      folder: one.folder,
      ...(one.paths !== null && { paths: one.paths }),
    })),
  )
  return [...own, ...below]
}

const testsOf = (tests: Detected['tests']): GivenStep[] =>
  tests.map(({ label, command }) => ({ type: 'test', ...(label !== '' && { name: `test ${label}` }), command }))

/** The longest name of a check in `beadloom.json`. */
const LONGEST_NAME = 60

function inOrder(tests: readonly GivenStep[], checks: Detected['checks']): GivenStep[] {
  const others = (type: 'build' | 'lint') => checks.filter((check) => check.type === type)
  return [...others('build'), ...tests, ...others('lint')]
}

/** As git writes paths. */
const plain = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')

type GivenStep = NonNullable<ProjectConfig['verify']>[number]

const commandsOf = (steps: readonly GivenStep[], testTimeoutMs: number): VerifyStep[] =>
  named(steps, testTimeoutMs).filter((step) => 'command' in step)

/** Repeated names get a number: sections of a log and rows are found by name. */
function named(steps: readonly GivenStep[], testTimeoutMs: number): (VerifyStep | JudgeStep)[] {
  const used = new Set<string>()
  return steps.map(
    ({
      type,
      name = type,
      command = '',
      prompt = '',
      model = null,
      required = true,
      timeoutSeconds,
      folder,
      paths,
    }) => {
      let own = name
      for (let n = 2; used.has(own); n++) own = `${name} ${n}`
      used.add(own)
      const timeoutMs = (otherwise: number) => (timeoutSeconds === undefined ? otherwise : timeoutSeconds * 1000)
      return type === 'judge'
        ? { name: own, prompt, model, required, timeoutMs: timeoutMs(JUDGE_TIMEOUT_MS) }
        : {
            type,
            name: own,
            command: inFolder(plain(folder ?? ''), command),
            timeoutMs: timeoutMs(testTimeoutMs),
            ...(paths !== undefined && { paths: paths.map(plain) }),
          }
    },
  )
}
