import { describe, expect, test } from 'vitest'
import { parseProjectConfig, resolveSettings } from '../project/project-config.ts'
import { detected } from '../environment/commands/detected.ts'
import { look } from '../environment/look.ts'
import { proposalFor } from '../project/proposal.ts'
import { commandWords } from './command-words.ts'
import { servicesNotice, serviceWords } from '../environment/service-settings.ts'

const parsed = (services: object) => parseProjectConfig(JSON.stringify({ services }))
const problems = (services: object): string => {
  try {
    parsed(services)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
const filesOf = (texts: Record<string, string>) => ({
  paths: Object.keys(texts),
  texts: new Map(Object.entries(texts)),
})
const settingsOf = (config: string, texts: Record<string, string> = {}) =>
  resolveSettings(parseProjectConfig(config), detected(look(filesOf(texts))), 'x', 'main')

describe('services in beadloom.json', () => {
  test('are in the words of GitHub Actions', () => {
    const postgres = {
      image: 'postgres:17',
      env: { POSTGRES_PASSWORD: 'x', PORT: 5432, DEBUG: false },
      options: '--health-cmd "pg_isready -U postgres" --health-interval=10s --health-timeout 5s --health-retries 5',
      ports: ['5432:5432', 5433],
    }
    const redis = { image: 'redis:8', command: `redis-server --save '' --appendonly no`, memoryMb: 256 }
    const { services } = settingsOf(JSON.stringify({ services: { postgres, Redis: redis } }))
    expect(services).toMatchObject([
      {
        name: 'postgres',
        env: { POSTGRES_PASSWORD: 'x', PORT: '5432', DEBUG: 'false' },
        health: 'pg_isready -U postgres',
        command: null,
        startTimeoutMs: 60_000,
      },
      { name: 'redis', command: ['redis-server', '--save', '', '--appendonly', 'no'], memoryBytes: 256 * 1024 ** 2 },
    ])
    expect(services.map(serviceWords)).toEqual([
      'postgres (postgres:17), ready when: pg_isready -U postgres',
      'redis (redis:8)',
    ])
    expect(servicesNotice(services)).toContain('at their names as hosts: postgres (postgres:17), redis (redis:8).')
    expect(servicesNotice([])).toBe(null)
  })

  test.each([
    [{ db: { image: 'x', privileged: true } }, /"services.db.privileged" \(no service gets a folder/],
    [{ db: { image: 'x', volumes: ['/:/host'] } }, /"services.db.volumes" \(no service gets a folder/],
    [{ db: { image: 'x', network_mode: 'host' } }, /no service gets a folder, a network or a right/],
    [{ db: { image: 'x', options: '--privileged --health-cmd true' } }, /--privileged is not passed on/],
    [{ db: { image: 'x', options: '-v /:/host --cpus 2' } }, /-v, --cpus is not passed on/],
    [{ db: { image: 'x', options: '--health-cmd "true' } }, /a quote that is not closed/],
    [{ db: { image: 'x', options: '--health-cmd true', health: 'true' } }, /not both/],
    [{ db: { image: 'x', command: ' ' } }, /no command line/],
    [{ db: { image: '--help' } }, /name of an image/],
    [{ db: {} }, /"services.db.image"/],
    [{ localhost: { image: 'x' } }, /name that a host can have/],
    [{ 'a b': { image: 'x' } }, /name that a host can have/],
    [{ 'db\n127.0.0.1 evil': { image: 'x' } }, /name that a host can have/],
    [{ db: { image: 'x' }, DB: { image: 'x' } }, /differ by more than upper and lower case/],
    [{ db: { image: 'x', env: { 'A=B': 'c' } } }, /name of a variable/],
    [Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`s${at}`, { image: 'x' }])), /at most 8 services/],
  ])('%j are refused with a sentence', (services, message) => {
    expect(problems(services)).toMatch(message)
  })
})

describe('services that files have', () => {
  const compose = (count: number, more = '') =>
    `services:\n${Array.from({ length: count }, (_, at) => `  s${at}:\n    image: redis:8\n`).join('')}${more}`

  test('of a devcontainer are started unasked, at most eight of twenty, and that is said', () => {
    const texts = {
      '.devcontainer/devcontainer.json': '{"dockerComposeFile": "compose.yml", "service": "app"}',
      '.devcontainer/compose.yml': compose(20, '  app:\n    image: node:24\n'),
    }
    expect(settingsOf('{}', texts).services.map(({ name }) => name)).toEqual(
      Array.from({ length: 8 }, (_, at) => `s${at}`),
    )
    expect(look(filesOf(texts)).notes.map(({ text }) => text)).toEqual([
      '.devcontainer/compose.yml has more than 8 services. Only the first 8 are taken, because each attempt starts all of them.',
    ])
    expect(proposalFor(look(filesOf(texts))).config.services).toBeUndefined()
    expect(settingsOf('{"services": {}}', texts).services).toEqual([])
  })

  test('of any other compose file are proposed, and not started', () => {
    const texts = { 'docker-compose.yml': compose(2) }
    expect(settingsOf('{}', texts).services).toEqual([])
    const { config, from } = proposalFor(look(filesOf(texts)))
    expect(config.services).toEqual({ s0: { image: 'redis:8' }, s1: { image: 'redis:8' } })
    expect(() => parseProjectConfig(JSON.stringify(config))).not.toThrow()
    expect(from.filter(({ key }) => key === 'services').map(({ place }) => place.file)).toEqual([
      'docker-compose.yml',
      'docker-compose.yml',
    ])
  })
})

test.each([
  ['a b', ['a', 'b']],
  [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
  [String.raw`a\ b "c\"d" 'e\f'`, ['a b', 'c"d', String.raw`e\f`]],
  [`a '' ""`, ['a', '', '']],
  ['$(rm -rf /) `x` *', ['$(rm', '-rf', '/)', '`x`', '*']],
  ["'open", null],
  ['', []],
])('the words of %j are %j', (line, words) => expect(commandWords(line)).toEqual(words))
