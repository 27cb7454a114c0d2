import { expect, test } from 'vitest'
import { isArgument, isImage, isRepositoryPath } from './setting-texts.ts'

const digest = `sha256:${'a1'.repeat(32)}`

test.each([
  'node',
  'node:24',
  'library/node:24-slim',
  'registry.example.org/tools/go:1.25',
  'localhost:5000/a/b__c/d--e:v1.0_x',
  `node@${digest}`,
  `node:24@${digest}`,
  digest,
  '6c6c1e20e5e5',
  '[::1]:5000/x',
])('%s is the name of an image', (name) => expect(isImage(name)).toBe(true))

test.each([
  'Node:24',
  'node 24',
  ':24',
  'node:',
  'node:-x',
  'https://example.org/x',
  'a//b',
  '/a',
  'a/',
  '-x',
  'a\n',
  '',
])('%j is no name of an image', (name) => expect(isImage(name)).toBe(false))

test('a path stays in the repository', () => {
  expect(['Dockerfile', 'docker/dev.Dockerfile', './Dockerfile', '..a/b'].every(isRepositoryPath)).toBe(true)
  expect(['/etc/passwd', '../Dockerfile', 'a/../../b', 'docker/', 'a\0b'].some(isRepositoryPath)).toBe(false)
})

test('no command has a NUL', () => {
  expect(isArgument('npm test && echo "ä"')).toBe(true)
  expect(isArgument('npm\0test')).toBe(false)
})
