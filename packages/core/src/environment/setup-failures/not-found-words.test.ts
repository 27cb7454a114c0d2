import { expect, test } from 'vitest'
import { notFoundWords, ownImageOf } from './not-found-words.ts'

test.each([
  ['ctest', 'Ask for CMake, which has ctest: "toolchains": { "cmake": "*" } in beadloom.json'],
  ['composer', 'Ask for Composer: "toolchains": { "composer": "*" } in beadloom.json'],
  ['dotnet', 'Install dotnet in "setup", or choose an "image" that has it, in beadloom.json.'],
  ['protoc', 'Install protoc in "setup", or choose an "image" that has it, in beadloom.json.'],
])('a program that is not installed is named with the toolchain that has it: %s', (program, words) => {
  expect(notFoundWords(program)).toContain(words)
})

const none = { image: null, dockerfile: null, devcontainer: null }
const devcontainer = { file: '.devcontainer/devcontainer.json', image: 'example.org/dev:1', dockerfile: null }

test.each([
  [
    'pnpm',
    { ...none, image: 'example.org/team:1' },
    `Choose an "image" in beadloom.json that has pnpm, or have Beadloom's own instead: leave out "image" in beadloom.json and ask for pnpm: "toolchains": { "pnpm": "*" }.`,
  ],
  [
    'npm',
    { ...none, dockerfile: 'ci/Dockerfile' },
    `Install npm in ci/Dockerfile, or have Beadloom's own instead: leave out "dockerfile" in beadloom.json and ask for Node.js, which has npm: "toolchains": { "node": "*" }.`,
  ],
  [
    'yarn',
    { ...none, devcontainer },
    `Add yarn to the image of .devcontainer/devcontainer.json, or have Beadloom's own image instead: ask for Yarn: "toolchains": { "yarn": "*" } in beadloom.json.`,
  ],
  ['protoc', { ...none, image: 'example.org/team:1' }, 'Choose an "image" in beadloom.json that has protoc.'],
  [null, { ...none, dockerfile: 'Dockerfile' }, 'Install a program that it starts in Dockerfile.'],
])('if the image is the project’s own, nothing can be requested in it: %s', (program, settings, words) => {
  expect(notFoundWords(program, ownImageOf(settings))).toBe(words)
})

test('a devcontainer that means toolchains is Beadloom’s own image', () => {
  expect(ownImageOf({ ...none, devcontainer: { ...devcontainer, image: null } })).toBeNull()
})
