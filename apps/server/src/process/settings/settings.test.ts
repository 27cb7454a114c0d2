import { expect, test } from 'vitest'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { readSettings, type SettingsSources } from './settings.ts'

const from = (over: Partial<SettingsSources>): SettingsSources => ({
  flags: {},
  env: { HOME: '/home/me' },
  configFile: null,
  cwd: '/here',
  defaults: { scenarios: '/app/scenarios' },
  ...over,
})

const problemsOf = (over: Partial<SettingsSources>): string[] => {
  try {
    readSettings(from(over))
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('if nothing is set, the defaults hold and the data is in the XDG data home', () => {
  expect(readSettings(from({}))).toMatchObject({
    data: '/home/me/.local/share/beadloom',
    host: '127.0.0.1',
    port: 4600,
    slots: 3,
    warm: 3,
    demo: true,
    model: null,
  })
  expect(readSettings(from({ env: { HOME: '/home/me', XDG_DATA_HOME: '/xdg' } })).data).toBe('/xdg/beadloom')
})

test('a flag wins over the environment, and the environment over the file', () => {
  const configFile = JSON.stringify({ port: 1, slots: 4, model: 'from-file' })
  const env = { HOME: '/home/me', BEADLOOM_PORT: '2', BEADLOOM_SLOTS: '5' }
  expect(readSettings(from({ configFile, env, flags: { port: '3' } }))).toMatchObject({
    port: 3,
    slots: 5,
    model: 'from-file',
  })
})

test('no more containers are kept warm than there are slots', () => {
  const warm = (flags: Record<string, string>) => readSettings(from({ flags })).warm
  expect([warm({ slots: '2' }), warm({ slots: '2', warm: '5' }), warm({ warm: '0' })]).toEqual([2, 2, 0])
  expect(problemsOf({ flags: { warm: '-1' } })).toEqual(['--warm ("-1"): must be a whole number from 0 to 32'])
})

test('every problem is named at once, with the place where it was set', () => {
  const problems = problemsOf({
    flags: { port: '99999', host: '0.0.0.0' },
    env: { HOME: '/h', BEADLOOM_SLOTS: 'many', OPENAI_BASE_URL: 'nonsense' },
    configFile: JSON.stringify({ colour: 'red', demo: 'perhaps' }),
  })
  for (const where of ['--port', '--host', 'BEADLOOM_SLOTS', 'OPENAI_BASE_URL', '"colour"', '"demo"']) {
    expect(
      problems.some((problem) => problem.includes(where)),
      where,
    ).toBe(true)
  }
})

test('the server may listen on every address only in a container, and only by flag or environment', () => {
  const env = { HOME: '/home/me', BEADLOOM_HOST: '0.0.0.0' }
  expect(readSettings(from({ env, ownNetwork: true })).host).toBe('0.0.0.0')
  expect(problemsOf({ env })).toEqual([expect.stringContaining('must be a loopback address')])
  expect(problemsOf({ flags: { host: '192.168.1.2' }, ownNetwork: true })).toHaveLength(1)
  expect(problemsOf({ configFile: '{"host": "0.0.0.0"}', ownNetwork: true })).toHaveLength(1)
})

test('a file that is not JSON is a named problem, not a crash', () => {
  expect(problemsOf({ configFile: '{' })).toEqual([expect.stringContaining('config.json: not JSON')])
  const secret = '{"webhooks": [{"name": "a", "url": "https://hooks.example/canary" "x"}]}'
  expect(problemsOf({ configFile: secret }).join()).not.toContain('canary')
})

test('webhooks are checked, and a problem never shows an address', () => {
  const of = (webhooks: unknown) => problemsOf({ configFile: JSON.stringify({ webhooks }) }).join()
  const good = { name: 'ops', url: 'https://hooks.example/canary' }
  expect(of([{ ...good, url: 'ftp://canary' }])).toMatch(/webhooks\.0\.url": must begin with https/)
  expect(of([good, good])).toMatch(/two have the same name/)
  expect(of([{ ...good, secret: 'short' }])).toMatch(/webhooks\.0\.secret/)
  expect(
    of([
      { ...good, format: 'canary' },
      { ...good, name: 'Canary!' },
    ]),
  ).not.toMatch(/hooks\.example/)
  for (const bad of [
    { ...good, url: 'canary' },
    { ...good, secret: 'canary' },
  ])
    expect(of([bad])).not.toContain('canary')
})

test('a price is a number from zero up, or null for a model that shows no price', () => {
  const given = (price: unknown) => ({ configFile: JSON.stringify({ prices: { 'gpt-5': price } }) })
  expect(readSettings(from(given({ input: 1, cacheWrite: 1.25, output: 0 }))).models.prices).toEqual({
    'gpt-5': { input: 1, cacheWrite: 1.25, output: 0 },
  })
  expect(readSettings(from(given(null))).models.prices).toEqual({ 'gpt-5': null })
  expect(problemsOf(given({ input: -1, output: 2 }))).toEqual([expect.stringMatching(/prices\.gpt-5\.input/)])
  expect(problemsOf(given({ input: 1 }))).toEqual([expect.stringMatching(/prices\.gpt-5\.output/)])
})

test('tools of endpoints are allowed by name, for all projects or for some, and other names are refused', () => {
  const given = (hostedTools: unknown) => ({ configFile: JSON.stringify({ hostedTools }) })
  const two = { web_search: { projects: ['library'], price: 0.01 }, web_fetch: {} }
  expect(readSettings(from(given(two))).models.hostedTools).toEqual({
    web_search: { projects: ['library'], price: 0.01 },
    web_fetch: { projects: null, price: null },
  })
  for (const odd of [{ mcp: {} }, { web_search: { price: -1 } }, { web_search: true }, ['web_search']])
    expect(problemsOf(given(odd))).toEqual([expect.stringContaining('hostedTools')])
})
