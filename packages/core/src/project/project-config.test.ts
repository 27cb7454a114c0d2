import { usuallyIgnored } from '../bead/ignored.ts'
import { noToolchains } from '../environment/toolchains/offer.ts'
import { defaultPlanning } from '../records/planning.ts'
import { describe, expect, test } from 'vitest'
import type { ProjectConfig } from './project-config-schema.ts'
import { ConfigError } from '../settings/config-error.ts'
import { branchesProblems } from './project-config-problems.ts'
import { defaultLimits, parseProjectConfig, resolveSettings } from './project-config.ts'
import { defaultFreshStarts } from '../execution/fresh-starts/fresh-starts.ts'
import { defaultRetry } from '../records/retry.ts'

const parse = (value: unknown) => parseProjectConfig(JSON.stringify(value))

function problemsOf(text: string): string[] {
  try {
    parseProjectConfig(text)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
const problemsIn = (value: unknown) => problemsOf(JSON.stringify(value))

describe('beadloom.json', () => {
  test('may be empty, and may name everything', () => {
    expect(parse({})).toEqual({})
    const full = {
      $schema: './schema.json',
      name: 'Calendar',
      techStack: ['Go'],
      image: 'golang:1.25',
      setup: null,
      test: 'go test ./...',
      agent: 'command',
      command: 'claude -p',
      model: 'scripted',
      scenario: 'demo',
      network: 'bridge',
      baseBranch: 'main',
      workBranch: 'work',
      autopilot: true,
      limits: { cpus: 0.5, memoryMb: 64, executionTimeoutSeconds: 60 },
      tracker: { write: false },
      verification: { maxAttempts: 1 },
      beads: { ignore: ['label:no-work'], 'bd-1': { agent: 'openai' } },
    }
    expect(parse(full)).toEqual(full)
  })

  test('says where it is not JSON', () => {
    expect(problemsOf('{"name": ')).toEqual([expect.stringMatching(/^not JSON \(.+\)$/)])
    expect(() => parseProjectConfig('{')).toThrow(/^beadloom\.json: not JSON/)
  })

  test.each([null, [], 'x', 7])('must be an object, not %j', (value) => {
    expect(problemsIn(value)).toHaveLength(1)
  })

  test('refuses a template for fresh starts that could not be filled in', () => {
    const template = (retryPromptTemplate: string) => problemsIn({ freshStarts: { retryPromptTemplate } })
    expect(template('{{originalTask}} {{errors}}')).toEqual([
      expect.stringMatching(/^"freshStarts\.retryPromptTemplate" has no placeholder \{\{errors\}\}: there are /),
    ])
    expect(template('{{originalTask}}: {{error}}')).toEqual([])
  })

  test('refuses limits of tokens and money that are zero, negative, absurd or no number, all at once', () => {
    const limits = {
      maxTokensPerBead: 0,
      maxTokensPerWeek: -5,
      maxCost: -1,
      maxCostPerDay: 1e12,
      maxCostPerBead: 'ten',
      warnAtPercent: 101,
      answerTimeoutSeconds: 0,
    }
    const problems = problemsIn({ onLimit: 'pause', limits })
    for (const key of ['onLimit', ...Object.keys(limits).map((one) => `limits.${one}`)])
      expect(problems.filter((problem) => problem.includes(`"${key}"`))).toHaveLength(1)
    expect(problemsOf('{"limits":{"maxCost":1e999}}')).toHaveLength(1)
    expect(problemsOf('{"limits":{"maxCost":NaN}}')).toEqual([expect.stringMatching(/^not JSON/)])
    expect(problemsIn({ onLimit: 'ask', limits: { maxCost: 0.5, warnAtPercent: 100 } })).toEqual([])
  })

  test('names all problems at once: unknown keys and wrong types, each with its path', () => {
    const problems = problemsIn({
      tset: 'npm test',
      limits: { memory: 8, cpus: 'four' },
      network: 'host',
      autopilot: 'yes',
      verification: { maxAttempts: 4 },
    })
    const all = problems.join('\n')
    expect(all).toContain('unknown key "tset" (did you mean "test"?)')
    expect(all).toContain('unknown key "limits.memory"')
    expect(all).toContain('"limits.cpus": ')
    expect(all).toContain('"network": ')
    expect(all).toContain('"autopilot": ')
    expect(all).toContain('"verification.maxAttempts": ') // more than three is an error, not clamped
    expect(problems).toHaveLength(6)
  })

  test.each([
    [{ image: 'a', dockerfile: 'b' }, 'give "image" or "dockerfile", not both'],
    [{ image: 'a', toolchains: { go: '1' } }, '"toolchains" is for Beadloom\'s own image'],
    [{ agent: 'command' }, '"agent": "command" needs "command"'],
    [{ model: 'scripted' }, '"model": "scripted" needs "scenario"'],
    [{ beads: { 'bd-1': { agent: 'command' } } }, '"beads.bd-1.agent": "command" needs "command"'],
  ])('does not contradict itself: %j', (value, problem) => {
    expect(problemsIn(value)).toEqual([expect.stringContaining(problem)])
  })

  test('a bead may use the command of the project', () => {
    expect(problemsIn({ command: 'sh work.sh', beads: { 'bd-1': { agent: 'command' } } })).toEqual([])
  })

  test.each([0, -1, 1.5, 8 * 24 * 3600])('a timeout of %d seconds is refused', (seconds) => {
    expect(problemsIn({ limits: { executionTimeoutSeconds: seconds } })).toHaveLength(1)
  })

  test('a key named like a property of every object does no harm', () => {
    expect(problemsOf('{"__proto__": {"test": "x"}}').length).toBeLessThanOrEqual(1)
    expect(Object.keys(parseProjectConfig('{"beads":{"constructor":{}}}').beads ?? {})).toEqual(['constructor'])
  })
})

describe('settings that could only fail later are refused when they are read', () => {
  test.each([
    [{ workBranch: 'my work' }, '"workBranch" must not contain a space: git refuses it in the name of a branch'],
    [{ baseBranch: 'main..dev' }, '"baseBranch" must not contain ".." or end with "."'],
    [{ workBranch: 'beads-x' }, '"workBranch" must not begin with "beads-": the branches of beads are called that'],
    [{ image: 'Node 24' }, /^"image": must be the name of an image/],
    [{ dockerfile: '../Dockerfile' }, /^"dockerfile": must be the path of a file in the repository/],
    [{ test: 'npm\0test' }, '"test": must not contain the character NUL'],
  ])('%j', (config, problem) =>
    expect(problemsIn(config)).toEqual([problem instanceof RegExp ? expect.stringMatching(problem) : problem]),
  )

  test('work is collected on a branch of its own', () => {
    const [same] = problemsIn({ baseBranch: 'dev', workBranch: 'dev' })
    expect(same).toContain('"workBranch" must not be the base branch dev')
    expect(same).toContain('if dev is only checked out in the repository at the moment')
    const [below] = problemsIn({ baseBranch: 'dev', workBranch: 'dev/work' })
    expect(below).toContain('cannot be there together')
    expect(problemsIn({ baseBranch: 'beadloom' })).toHaveLength(1)
    expect(branchesProblems('main', 'main')).toHaveLength(1)
    expect(branchesProblems('main', undefined)).toEqual([])
  })
})

describe('the settings of an execution', () => {
  const found = {
    setup: 'npm ci',
    test: 'npm test',
    checks: [],
    techStack: ['Node.js'],
    tools: [],
    devcontainer: null,
    tests: [{ label: '', command: 'npm test' }],
    nested: [],
    untested: null,
    absent: [],
    services: [],
  }

  test('are the detected ones, and the defaults', () => {
    expect(resolveSettings({}, found, 'demo', 'main')).toEqual({
      name: 'demo',
      techStack: ['Node.js'],
      image: null,
      dockerfile: null,
      devcontainer: null,
      folders: [],
      absent: [],
      toolchains: noToolchains,
      instead: null,
      engine: null,
      setup: 'npm ci',
      env: {},
      secrets: [],
      services: [],
      test: 'npm test',
      untested: null,
      agent: 'openai',
      command: null,
      agentVersion: null,
      agentArguments: [],
      model: null,
      scenario: null,
      network: 'none',
      baseBranch: 'main',
      workBranch: 'beadloom/work',
      commits: 'keep',
      author: null,
      committer: null,
      autopilot: false,
      onLimit: 'stop',
      onBlocked: 'end',
      warm: 1,
      slots: { limit: null, weight: 1 },
      allow: [],
      limits: defaultLimits,
      maxAttempts: 3,
      redGreen: true,
      proveBase: true,
      acceptUnchecked: false,
      foundSecrets: 'refuse',
      originalTests: 'tell',
      elsewhere: 'ci',
      verify: [{ type: 'test', name: 'test', command: 'npm test', timeoutMs: 1_800_000 }],
      unverified: false,
      judges: [],
      ownSetup: false,
      retry: defaultRetry,
      freshStarts: defaultFreshStarts,
      tracker: { write: true },
      ignore: [...usuallyIgnored],
      beads: {},
      review: { agent: null, command: null, model: null },
      planning: defaultPlanning,
    })
    expect(defaultLimits).toMatchObject({ cpus: 4, memoryBytes: 8 * 1024 ** 3, executionTimeoutMs: 21_600_000 })
    expect(defaultLimits.inactivityTimeoutMs).toBe(21_600_000)
  })

  test("are the file's over detected ones; null means that there is nothing to set up", () => {
    const settings = resolveSettings({ setup: null, test: 'make', name: 'N', baseBranch: 'dev' }, found, 'demo', 'main')
    expect(settings).toMatchObject({ setup: null, test: 'make', name: 'N', baseBranch: 'dev' })
  })

  test('count in milliseconds and bytes, and silence lasts as long as the whole unless set', () => {
    const { limits } = resolveSettings(
      { limits: { executionTimeoutSeconds: 60, memoryMb: 512 } },
      found,
      'demo',
      'main',
    )
    expect(limits).toMatchObject({
      executionTimeoutMs: 60_000,
      inactivityTimeoutMs: 60_000,
      memoryBytes: 512 * 1024 ** 2,
    })
    const quiet = resolveSettings({ limits: { inactivityTimeoutSeconds: 5 } }, found, 'demo', 'main').limits
    expect(quiet).toMatchObject({ executionTimeoutMs: 21_600_000, inactivityTimeoutMs: 5000 })
  })

  describe('the checks of a verification', () => {
    const checks = [
      { type: 'lint', command: 'npm run lint' } as const,
      { type: 'build', command: 'npm run build' } as const,
    ]
    const steps = (config: ProjectConfig) =>
      resolveSettings(config, { ...found, checks }, 'demo', 'main').verify.map(
        ({ name, command }) => `${name}: ${command}`,
      )

    test('are the detected ones by default: build, test, lint', () => {
      expect(steps({})).toEqual(['build: npm run build', 'test: npm test', 'lint: npm run lint'])
    })

    test('are the tests alone if a person chose their command', () => {
      expect(steps({ test: 'make check' })).toEqual(['test: make check'])
    })

    test('are the given ones in the given order, named once each, with a time limit each', () => {
      const verify = [
        { type: 'test', command: 'a' },
        { type: 'test', command: 'b', timeoutSeconds: 5 },
        { type: 'custom', name: 'docs', command: 'c' },
      ] as const
      expect(steps({ verify: [...verify] })).toEqual(['test: a', 'test 2: b', 'docs: c'])
      const settled = resolveSettings(
        { verify: [...verify], limits: { testTimeoutSeconds: 60 } },
        found,
        'demo',
        'main',
      )
      expect(settled.verify.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000, 5_000, 60_000])
      expect(settled.test).toBe('a')
    })

    test('are empty if nothing is known, which differs from none being wanted', () => {
      const none = resolveSettings({}, { ...found, test: null }, 'demo', 'main')
      expect(none).toMatchObject({ verify: [], unverified: false, test: null })
      const unwanted = resolveSettings({ verify: [] }, { ...found, checks }, 'demo', 'main')
      expect(unwanted).toMatchObject({ verify: [], unverified: true, judges: [] })
    })

    test('and the judges are apart; a judge alone checks nothing', () => {
      const judge = { type: 'judge' as const, prompt: 'Is it good?' }
      const settings = (verify: ProjectConfig['verify']) => resolveSettings({ verify }, found, 'demo', 'main')
      expect(
        settings([judge, { type: 'test', command: 'a' }, { ...judge, model: 'm', required: false }]),
      ).toMatchObject({
        test: 'a',
        verify: [{ name: 'test', command: 'a' }],
        unverified: false,
        judges: [
          { name: 'judge', prompt: 'Is it good?', model: null, required: true, timeoutMs: 300_000 },
          { name: 'judge 2', model: 'm', required: false },
        ],
      })
      expect(settings([judge])).toMatchObject({ verify: [], unverified: true, judges: [{ name: 'judge' }] })
    })

    test.each([
      [[{ type: 'tests', command: 'x' }], 'verify.0.type'],
      [[{ type: 'test' }], 'verify.0.command'],
      [[{ type: 'judge' }], 'verify.0.prompt'],
      [[{ type: 'judge', prompt: ' \n' }], 'is blank'],
      [[{ type: 'judge', prompt: 'p', command: 'x' }], 'verify.0.command'],
      [[{ type: 'lint', command: 'x', required: true }], 'verify.0.required'],
      [[{ type: 'judge', prompt: 'p', model: 'scripted' }], 'scenario'],
      [[{ type: 'test', command: '' }], 'verify.0.command'],
      [[{ type: 'test', command: 'x', timeout: 3 }], 'verify.0.timeout'],
      [[{ type: 'test', command: 'x', timeoutSeconds: 0 }], 'verify.0.timeoutSeconds'],
      [Array.from({ length: 41 }, () => ({ type: 'test', command: 'x' })), 'verify'],
    ])('%j is refused, by name', (verify, name) => {
      expect(problemsIn({ verify })[0]).toContain(name)
    })
  })
})
