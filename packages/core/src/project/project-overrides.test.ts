import { describe, expect, test } from 'vitest'
import type { ProjectConfig } from './project-config-schema.ts'
import { ConfigError } from '../settings/config-error.ts'
import { resolveSettings } from './project-config.ts'
import { changeOverrides, noOverrides, overlay, valueAt } from './project-overrides.ts'
import { projectSettingTable } from './project-setting-table.ts'
import { describeProjectSettings, type SettingsParts } from '../views/project-settings-view.ts'
import { settingWords } from './project-config-words.ts'

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

function partsOf(file: ProjectConfig, overrides: object, serverModel: string | null = null): SettingsParts {
  const over = changeOverrides(noOverrides, overrides as Record<string, never>, file)
  const settled = (config: ProjectConfig) => {
    const settings = resolveSettings(config, found, 'lib', 'main')
    return { ...settings, model: settings.model ?? serverModel }
  }
  return {
    file,
    overrides: over,
    settings: settled(overlay(file, over)),
    without: settled(file),
    serverModel,
    baseBranch: 'main',
  }
}

const fieldOf = (parts: SettingsParts, key: string) => {
  const field = describeProjectSettings(parts).find((one) => one.key === key)
  if (!field) throw new Error(`no field ${key}`)
  return field
}

function problemsOf(change: () => unknown): string[] {
  try {
    change()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe("a person's override", () => {
  test('wins over beadloom.json key by key, and keeps other keys', () => {
    const file: ProjectConfig = { limits: { maxSteps: 20, cpus: 2 }, model: 'a' }
    const over = changeOverrides(noOverrides, { 'limits.maxSteps': 50, 'review.model': 'b' }, file)
    expect(overlay(file, over)).toEqual({ limits: { maxSteps: 50, cpus: 2 }, model: 'a', review: { model: 'b' } })
  })

  test('is taken back with null, and leaves nothing behind', () => {
    const over = changeOverrides(noOverrides, { 'limits.maxSteps': 50, model: 'b' }, {})
    expect(changeOverrides(over, { 'limits.maxSteps': null }, {})).toEqual({ model: 'b' })
    expect(changeOverrides({ model: 'b' }, { model: null }, {})).toEqual({})
  })

  test('is refused with every problem at once if it is impossible', () => {
    const problems = problemsOf(() =>
      changeOverrides(noOverrides, { 'limits.maxSteps': 0, network: 'host', 'limits.cpus': 'many' }, {}),
    )
    expect(problems).toHaveLength(3)
    expect(problems.join()).toContain('limits.maxSteps')
  })

  test('is refused if it contradicts the file', () => {
    expect(problemsOf(() => changeOverrides(noOverrides, { model: 'scripted' }, {})).join()).toContain('"scenario"')
  })

  test.each(['beads', 'baseBranch', 'agent', 'limits.nothing', '__proto__.polluted', 'constructor', 'name.x'])(
    'cannot be about %s',
    (key) => {
      expect(problemsOf(() => changeOverrides(noOverrides, { [key]: 'x' }, {}))).not.toEqual([])
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

describe('a project’s settings', () => {
  test('say where each value comes from: here, the file, the server, the repository, or nobody', () => {
    const parts = partsOf({ limits: { maxSteps: 20, cpus: 2 } }, { 'limits.maxSteps': 50 }, 'gpt-5')
    expect(fieldOf(parts, 'limits.maxSteps')).toMatchObject({ source: 'here', value: 50, here: 50, otherwise: 20 })
    expect(fieldOf(parts, 'limits.cpus')).toMatchObject({ source: 'file', value: 2, here: null })
    expect(fieldOf(parts, 'model')).toMatchObject({ source: 'server', value: 'gpt-5' })
    expect(fieldOf(parts, 'test')).toMatchObject({ source: 'detected', value: 'npm test' })
    expect(fieldOf(parts, 'network')).toMatchObject({ source: 'default', value: 'none' })
  })

  test('that belong to the repository are shown and not changed here', () => {
    const parts = partsOf({ baseBranch: 'trunk' }, {})
    expect(fieldOf(parts, 'baseBranch')).toMatchObject({ editable: false, source: 'file' })
    expect(fieldOf(parts, 'baseBranch').where).toContain('beadloom.json')
  })

  test('each have their words', () => {
    expect(projectSettingTable.filter(({ key }) => !settingWords[key]).map(({ key }) => key)).toEqual([])
  })

  test('have the bounds of the schema', () => {
    for (const row of projectSettingTable) {
      if (row.kind !== 'number' || row.fixed) continue
      const accepts = (value: number) =>
        problemsOf(() => changeOverrides(noOverrides, { [row.key]: value }, {})).length === 0
      expect([row.key, accepts(row.least), accepts(row.most)]).toEqual([row.key, true, true])
      if (row.least >= 1) expect([row.key, accepts(row.least - 1)]).toEqual([row.key, false])
      if (row.most < Number.MAX_SAFE_INTEGER) expect([row.key, accepts(row.most + 1)]).toEqual([row.key, false])
      if (!row.fraction) expect([row.key, accepts(row.least + 0.5)]).toEqual([row.key, false])
    }
  })

  test('can be changed here if they say so', () => {
    const sample = { text: 'npm', number: 5, boolean: true, choice: null, list: ['a'] }
    for (const row of projectSettingTable) {
      const value =
        row.kind === 'choice'
          ? (row.choices[0] ?? '')
          : row.kind === 'number'
            ? Math.max(row.least, 64)
            : sample[row.kind]
      const most = row.kind === 'number' ? Math.min(row.most, Number(value)) : value
      const refused = problemsOf(() => changeOverrides(noOverrides, { [row.key]: most }, {})).length > 0
      expect([row.key, refused]).toEqual([row.key, row.fixed === true])
    }
    expect(valueAt({ a: { b: 1 } }, 'a.b')).toBe(1)
  })
})

test('another agent than the file’s inherits neither its version nor its arguments', () => {
  const file = { agent: 'claude', agentVersion: '2.0.0', agentArguments: ['--x'] } as const
  expect(overlay({ ...file, agentArguments: ['--x'] }, { agent: 'codex' })).toEqual({ agent: 'codex' })
  expect(overlay({ ...file, agentArguments: ['--x'] }, { agent: 'claude' })).toEqual(file)
})
