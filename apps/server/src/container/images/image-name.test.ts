import { expect, test } from 'vitest'
import { fullName, isOfInside, matches, registryOf, repositoryOf } from './image-name.ts'

test.each([
  ['postgres', 'docker.io/library/postgres:latest', 'docker.io/library/postgres'],
  ['postgres:17', 'docker.io/library/postgres:17', 'docker.io/library/postgres'],
  ['docker.io/library/postgres:17', 'docker.io/library/postgres:17', 'docker.io/library/postgres'],
  ['index.docker.io/team/app', 'docker.io/team/app:latest', 'docker.io/team/app'],
  ['team/app@sha256:00ff', 'docker.io/team/app@sha256:00ff', 'docker.io/team/app'],
  ['localhost:5000/app', 'localhost:5000/app:latest', 'localhost:5000/app'],
  ['localhost/app:1', 'localhost/app:1', 'localhost/app'],
  ['registry.example:5000/a/b:1@sha256:00ff', 'registry.example:5000/a/b:1@sha256:00ff', 'registry.example:5000/a/b'],
])('%s is %s of %s', (name, full, repository) => {
  expect([fullName(name), repositoryOf(name)]).toEqual([full, repository])
})

test.each([
  ['team/tool:*', 'team/tool:1', true],
  ['team/*', 'docker.io/team/a/b:2', true],
  ['*', 'registry.example/team/a:1', false],
  ['registry.example/*', 'registry.example/team/a:1', true],
  ['team/tool', 'team/tool:latest', true],
  ['*', 'registry.example/team/a:1', false],
  ['registry.example/*', 'registry.example/team/a:1', true],
  ['team/tool', 'team/tool:1', false],
  ['team/tool:*', 'team/tools:1', false],
  ['*/tool:1', 'elsewhere.example/tool:2', false],
  ['registry.example/*/app:*', 'registry.example/team/app:1', true],
  ['registry.example/*/app:*', 'registry.example/app:1', false],
  ['a*a:1', 'a:1', false],
  ['team/tool@sha256:00ff', 'docker.io/team/tool@sha256:00ff', true],
  ['team/tool@sha256:00ff', 'team/tool@sha256:00fe', false],
  ['team/tool@sha256:00ff', 'team/tool:latest', false],
])('%s and %s: %s', (pattern, name, allowed) => {
  expect(matches(pattern, name)).toBe(allowed)
})

test.each([
  ['localhost:5000/app', true],
  ['localhost/app', true],
  ['127.0.0.1:5000/app', true],
  ['10.0.0.1/team/app', true],
  ['registry:5000/app', true],
  ['db.internal/app', true],
  ['Registry.LOCAL/app', true],
  ['app', false],
  ['team/app:1', false],
  ['registry.example.org:5000/team/app', false],
])('a private registry is recognised by its name: %s', (name, inside) => {
  expect(isOfInside(name)).toBe(inside)
})

test.each([
  ['postgres:17', 'known'],
  ['ghcr.io/team/app', 'known'],
  ['GHCR.io/team/app', 'known'],
  ['mcr.microsoft.com/devcontainers/base:bookworm', 'known'],
  ['ghcr.io:8443/team/app', 'unknown'],
  ['ghcr.io.example.org/team/app', 'unknown'],
  ['registry.example.org/words-of-somebody:1', 'unknown'],
  ['localhost:5000/app', 'inside'],
] as const)('%s would be requested from a registry that is %s', (name, registry) => {
  expect(registryOf(name)).toBe(registry)
})
