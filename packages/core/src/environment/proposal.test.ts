import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseProjectConfig } from '../project/project-config.ts'
import { filesOf } from '../testing/sample-repository.ts'
import { look } from './look.ts'
import { proposalFor, type Proposal } from './proposal.ts'

const proposal = (files: Record<string, string>): Proposal => proposalFor(look(filesOf(files)))

describe('the image', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['Node.js 24 is in the default one', { 'package.json': '{"engines":{"node":">=20"}}' }, undefined],
    ['an older Node.js is not', { 'package.json': '{"engines":{"node":"^20"}}' }, 'node:20-bookworm'],
    ['an exact version is taken as it is', { '.nvmrc': 'v20.11.1', 'package.json': '{}' }, 'node:20.11.1-bookworm'],
    [
      'the newest that fits',
      { 'pyproject.toml': '[project]\nrequires-python = ">=3.12,<3.14"' },
      'python:3.13-bookworm',
    ],
    ['the default one where any will do', { 'requirements.txt': '' }, undefined],
    ['a Go that is new enough', { 'go.mod': 'go 1.22\n' }, 'golang:1.25-bookworm'],
    ['the Go that is named', { 'go.mod': 'go 1.22\ntoolchain go1.22.3\n' }, 'golang:1.22.3-bookworm'],
    ['Rust', { 'Cargo.toml': '[package]\nrust-version = "1.70"' }, 'rust:1-bookworm'],
    ['the oldest Java that is enough', { 'pom.xml': '<release>11</release>' }, 'maven:3-eclipse-temurin-11'],
    ['.NET', { 'A.csproj': '<TargetFramework>net8.0</TargetFramework>' }, 'mcr.microsoft.com/dotnet/sdk:8.0'],
    ['Ruby', { Gemfile: 'ruby "~> 3.3"' }, 'ruby:3.4-bookworm'],
    [
      'a devcontainer before all of them',
      { 'go.mod': '', '.devcontainer.json': '{"image":"example.org/dev:1"}' },
      'example.org/dev:1',
    ],
  ])('%s', (_, files, image) => {
    expect(proposal(files).config.image).toBe(image)
  })

  test('that no official one is for several languages is asked for, by name', () => {
    const { config, open } = proposal({ 'go.mod': 'go 1.22\n', 'package.json': '{"scripts":{"test":"x"}}' })
    expect(config.image).toBeUndefined()
    expect(open).toEqual([
      'It needs Node.js and Go 1.22, which no official image that Beadloom knows has. Write a Dockerfile with it, and name it as "dockerfile".',
    ])
  })

  test('is made by the Dockerfile of a devcontainer, if it copies from the root', () => {
    const dockerfile = (context: string) => ({
      '.devcontainer/devcontainer.json': JSON.stringify({ build: { dockerfile: 'Dockerfile', context } }),
    })
    expect(proposal(dockerfile('..')).config.dockerfile).toBe('.devcontainer/Dockerfile')
    expect(proposal(dockerfile('.')).config.dockerfile).toBeUndefined()
    expect(proposal(dockerfile('.')).open[0]).toContain('Beadloom builds from the root')
  })
})

describe('commands', () => {
  test('are a setup, and checks in their order', () => {
    const scripts = { lint: 'eslint', test: 'vitest', build: 'tsc' }
    const { config, from, open } = proposal({ 'package.json': JSON.stringify({ scripts }), 'package-lock.json': '{}' })
    expect(config).toEqual({
      setup: 'npm ci',
      verify: [
        { type: 'build', command: 'npm run build' },
        { type: 'test', command: 'npm test' },
        { type: 'lint', command: 'npm run lint' },
      ],
    })
    expect(from.map(({ key, place }) => [key, place.file])).toEqual([
      ['setup', 'package-lock.json'],
      ...Array.from({ length: 3 }, () => ['verify', 'package.json']),
    ])
    expect(open).toEqual([])
  })

  test('are those of a CI where nothing else says any', () => {
    const ci = 'jobs: { a: { steps: [{ run: make check }, { run: pip install x }] } }'
    expect(proposal({ '.github/workflows/ci.yml': ci }).config).toEqual({
      setup: 'pip install x',
      verify: [{ type: 'test', command: 'make check' }],
    })
  })

  test('run in the folder of the only project', () => {
    expect(proposal({ 'README.md': '', 'my app/go.mod': 'go 1.22\n' }).config).toMatchObject({
      setup: "cd 'my app' && go mod download",
      verify: [{ type: 'test', command: "cd 'my app' && go test ./..." }],
    })
  })

  test('are asked for where there are none, with the projects that there are', () => {
    expect(proposal({ 'README.md': '' }).open).toEqual([expect.stringContaining('No command that tests was found')])
    expect(proposal({ 'a/go.mod': '', 'b/package.json': '{}' }).open).toEqual([
      expect.stringContaining('2 projects in folders (a and b, …)'),
    ])
  })
})

test('services are named with their images', () => {
  expect(proposal({ 'compose.yaml': 'services: { db: { image: "postgres:16" } }' }).open.at(-1)).toContain(
    'The tests may need db (postgres:16).',
  )
})

test('whatever a repository says, the proposal is a beadloom.json that is taken', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 1900, maxLength: 2100 }),
    fc.constant('20'),
  )
  const file = fc.constantFrom('package.json', 'go.mod', 'a b/go.mod', "it's/Cargo.toml", 'pom.xml', 'deno.json')
  const command = fc.record({
    scripts: fc.dictionary(fc.constantFrom('test', 'build', 'lint'), text),
    engines: fc.dictionary(fc.constant('node'), text),
  })
  const devcontainer = fc.record(
    {
      image: fc.oneof(text, fc.constant('a'.repeat(301))),
      postCreateCommand: fc.oneof(text, fc.array(text)),
      build: fc.record({ dockerfile: text, context: fc.constant('..') }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.uniqueArray(file), command, devcontainer, (names, manifest, container) => {
      const files = names.map((name) => [name, JSON.stringify(manifest)])
      files.push(['.devcontainer/devcontainer.json', JSON.stringify(container)])
      const { config } = proposal(Object.fromEntries(files))
      expect(parseProjectConfig(JSON.stringify(config))).toEqual(config)
    }),
  )
})
