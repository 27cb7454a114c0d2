import { describe, expect, test } from 'vitest'
import { parseProjectConfig, resolveSettings } from '../project/project-config.ts'
import { detectedSteps } from '../project/verify-steps.ts'
import { filesOf } from '../testing/sample-repository.ts'
import { detected, type Detected } from './detected.ts'
import { look } from './look.ts'
import { nestedProjects } from './nested-projects.ts'
import { proposalFor } from './proposal.ts'

const of = (files: Record<string, string>): Detected => detected(look(filesOf(files)))
const node = (scripts: object = { test: 'vitest' }) => JSON.stringify({ scripts, dependencies: { a: '1' } })
const names = (files: Record<string, string>): string[] => of(files).nested.map(({ folder }) => folder)

describe('projects in folders', () => {
  const files = {
    'api/go.mod': 'module x\n\ngo 1.24\n',
    'web/package.json': node({ build: 'vite build', test: 'vitest', lint: 'eslint .' }),
    'web/package-lock.json': '{}',
  }

  test('are all set up, each in its own folder', () => {
    const { setup, test: tests, techStack, tools } = of(files)
    expect(setup).toBe('( cd api && go mod download && { go test -exec true ./... || true; } ) && ( cd web && npm ci )')
    expect(tests).toBe('( cd api && go test -v ./... ) && ( cd web && npm test )')
    expect(techStack).toEqual(['Go', 'JavaScript', 'Node.js'])
    expect(tools.map(({ tool }) => tool)).toEqual(['go', 'node'])
  })

  test('have checks of their own, which run where a change touches them', () => {
    expect(detectedSteps(of(files), 1000)).toEqual([
      { type: 'test', name: 'test api', command: 'cd api && go test -v ./...', timeoutMs: 1000, paths: ['api'] },
      { type: 'build', name: 'build web', command: 'cd web && npm run build', timeoutMs: 1000, paths: ['web'] },
      { type: 'test', name: 'test web', command: 'cd web && npm test', timeoutMs: 1000, paths: ['web'] },
      { type: 'lint', name: 'lint web', command: 'cd web && npm run lint', timeoutMs: 1000, paths: ['web'] },
    ])
  })

  test('are proposed as they run unasked', () => {
    const { config } = proposalFor(look(filesOf(files)))
    expect(config.verify?.[0]).toEqual({
      type: 'test',
      name: 'test api',
      command: 'go test -v ./...',
      folder: 'api',
      paths: ['api'],
    })
    const found = of(files)
    const written = resolveSettings(parseProjectConfig(JSON.stringify(config)), found, 'x', 'main')
    const unasked = resolveSettings({}, found, 'x', 'main')
    expect(written.setup).toBe(unasked.setup)
    expect(written.folders).toEqual(['api', 'web'])
    expect(written.verify.map(({ command }) => command).sort()).toEqual(
      unasked.verify.map(({ command }) => command).sort(),
    )
  })
})

test.each<[string, Record<string, string>]>([
  ['is part of a workspace', { 'go.work': 'use (\n./a\n./b\n)\n', 'b/go.mod': 'module b\n' }],
  ['names a folder beside it', { 'b/go.mod': 'module b\nreplace a => ../a\n' }],
])('a project that %s is checked after every change', (_, files) => {
  const found = of({ 'a/go.mod': 'module a\n', ...files })
  expect(found.nested.find(({ folder }) => folder === 'b')?.paths).toBeNull()
  expect(detectedSteps(found, 1000).find(({ name }) => name === 'test b')).toEqual({
    type: 'test',
    name: 'test b',
    command: 'cd b && go test -v ./...',
    timeoutMs: 1000,
  })
})

test('tests of the root are the tests of all', () => {
  expect(names({ 'package.json': node(), 'packages/a/package.json': node(), 'api/go.mod': '' })).toEqual([])
  expect(names({ Makefile: 'test:\n\ttrue\n', 'api/go.mod': '' })).toEqual([])
})

test('what a workspace has installed is not installed again', () => {
  const workspace = { 'package.json': '{"workspaces":["packages/*"]}', 'package-lock.json': '{}' }
  const { setup, nested } = of({ ...workspace, 'packages/a/package.json': node(), 'api/go.mod': '' })
  expect(nested.map(({ folder }) => folder)).toEqual(['api', 'packages/a'])
  expect(setup).toMatch(/^npm ci && \( cd api && go mod download/)
  expect(setup).not.toContain('packages/a')
})

test('folders below a project with tests are its own affair, and what has no tests at all is none', () => {
  expect(names({ 'web/package.json': node(), 'web/plugins/x/package.json': node() })).toEqual(['web'])
  expect(names({ 'web/package.json': node({ build: 'x' }) })).toEqual([])
  expect(names({ 'examples/a/package.json': node(), 'a/vendor/b/go.mod': '' })).toEqual([])
})

test('more than a dozen are said, and not run', () => {
  const many = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`p${n}/go.mod`, 'module x\n']))
  expect(nestedProjects(look(filesOf(many)))).toMatchObject({ left: 3 })
  expect(of(many).nested).toHaveLength(12)
  expect(proposalFor(look(filesOf(many))).open).toContain(
    '3 more folders have tests of their own, which do not run: name them as "verify" in beadloom.json.',
  )
})

test('a folder of any name is one word to a shell', () => {
  expect(of({ "it's $(id)/go.mod": 'module x\n' }).test).toBe(String.raw`( cd 'it'\''s $(id)' && go test -v ./... )`)
})
