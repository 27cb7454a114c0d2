import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ProjectSettingsView, ServerSettingsView, SettingField } from '@beadloom/core/api/settings/settings-api.ts'
import type { SettingValue } from '@beadloom/core/project/setting-value.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await World.start({
    engine: 'process',
    env: { OPENAI_API_KEY: 'sk-never-shown', BEADLOOM_MODEL: 'gpt-of-the-server' },
  })
})
afterAll(() => world.stop())

const read = (project: string) => world.get<ProjectSettingsView>(`/api/projects/${project}/settings`)
const change = (project: string, revision: number, changes: Record<string, SettingValue>) =>
  world.api<ProjectSettingsView & ApiError>('PATCH', `/api/projects/${project}/settings`, { revision, changes })
const field = ({ fields }: { fields: SettingField[] }, key: string) => fields.find((one) => one.key === key)

describe("a project's settings", () => {
  longTest('can override beadloom.json, hold for new executions, and can be reverted', async () => {
    await world.addProject(
      'chosen',
      shellProject({
        agent: `echo more >> README.md\n${commitAndPush('c-1', 'Work')}`,
        config: { limits: { maxSteps: 20 }, test: 'true' },
        testsFirst: true,
      }),
      [{ id: 'c-1', title: 'Work' }],
    )
    const before = await read('chosen')
    expect(field(before, 'limits.maxSteps')).toMatchObject({ value: 20, source: 'file', here: null })
    expect(field(before, 'model')).toMatchObject({ source: 'server', value: 'gpt-of-the-server' })

    const answer = await change('chosen', 0, { 'verification.maxAttempts': 1, test: 'false', 'limits.maxSteps': 30 })
    expect(answer.status).toBe(200)
    expect(field(answer.body, 'limits.maxSteps')).toMatchObject({ value: 30, source: 'here', otherwise: 20 })
    expect((await world.get<ProjectView>('/api/projects/chosen')).test).toBe('false')
    const failed = await world.run('chosen', 'c-1')
    expect([failed.state, failed.maxAttempts]).toEqual(['FAILED', 1])

    const back = await change('chosen', 1, { test: null, 'verification.maxAttempts': null })
    expect(field(back.body, 'test')).toMatchObject({ value: 'true', source: 'file' })
    expect(back.body.history.map(({ revision }) => revision)).toEqual([2, 1])
    expect(back.body.history[0]?.changes).toContainEqual({ key: 'test', from: 'false', to: null })
    expect((await world.run('chosen', 'c-1')).state).toBe('COMPLETED')
  })

  test('that somebody else has changed meanwhile are left as they are', async () => {
    await world.addProject('raced', shellProject({ agent: 'true\n' }), [])
    expect((await change('raced', 0, { model: 'mine' })).status).toBe(200)
    const late = await change('raced', 0, { model: 'theirs' })
    expect([late.status, late.body.error.code]).toEqual([409, 'settings_changed'])
    expect(field(await read('raced'), 'model')?.value).toBe('mine')
  })

  test('that say what holds already, or remove what is not there, leave the history alone', async () => {
    await world.addProject('same', shellProject({ agent: 'true\n' }), [])
    expect((await change('same', 0, { model: null })).body).toMatchObject({ revision: 0, history: [] })
    expect((await change('same', 0, { model: 'mine' })).body.revision).toBe(1)
    expect((await change('same', 1, { model: 'mine', 'limits.maxSteps': null })).body).toMatchObject({
      revision: 1,
      history: [{ revision: 1 }],
    })
  })

  test('that are invalid are refused with every problem, and nothing is changed', async () => {
    await world.addProject('refused', shellProject({ agent: 'true\n' }), [])
    const { status, body } = await change('refused', 0, { network: 'host', 'limits.maxSteps': 0, beads: 'x' })
    expect([status, body.error.code]).toEqual([422, 'invalid_settings'])
    expect(body.error.details).toHaveLength(3)
    expect((await read('refused')).revision).toBe(0)
  })
})

describe("the server's settings", () => {
  const settings = () => world.get<ServerSettingsView>('/api/settings')
  const patch = (revision: string, changes: Record<string, SettingValue>) =>
    world.api<ServerSettingsView & ApiError>('PATCH', '/api/settings', { revision, changes })
  const file = () => join(world.data, 'config.json')

  test('are written to config.json for the next start, for its owner alone', async () => {
    const { revision } = await settings()
    const { status, body } = await patch(revision, { slots: 5 })
    expect(status).toBe(200)
    expect(field(body, 'slots')).toMatchObject({ value: 3, here: 5, applies: 'at the next start' })
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ slots: 5 })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  test('that a flag or a variable sets are changed there', async () => {
    const view = await settings()
    expect(field(view, 'model')).toMatchObject({ source: 'environment', editable: false })
    const { status, body } = await patch(view.revision, { model: 'other' })
    expect([status, body.error.code]).toEqual([422, 'not_here'])
    expect(body.error.message).toContain('BEADLOOM_MODEL')
  })

  test('that were edited by hand meanwhile are not overwritten', async () => {
    const { revision } = await settings()
    writeFileSync(file(), '{"slots": 7, "logLevel": "info"}')
    expect((await patch(revision, { slots: 2 })).body.error.code).toBe('settings_changed')
    expect((await patch((await settings()).revision, { slots: 2 })).status).toBe(200)
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ slots: 2, logLevel: 'info' })
  })

  test('in a broken file are called broken, and left to its owner', async () => {
    writeFileSync(file(), '{"slots": ')
    const view = await settings()
    expect(view.problem).toContain('config.json: not JSON')
    expect((await patch(view.revision, { slots: 2 })).status).toBe(409)
    expect(readFileSync(file(), 'utf8')).toBe('{"slots": ')
  })

  test('never show a key, only whether there is one', async () => {
    const text = JSON.stringify(await settings())
    expect(text).toContain('OPENAI_API_KEY')
    expect(text).not.toContain('sk-never-shown')
  })
})
