import { expect, test } from 'vitest'
import { endOfSetupOutput } from './end-of-setup.ts'
import { registryTrouble } from './registry-trouble.ts'

test("a stack trace does not hide the cause, as with Gradle's wrapper without its Gradle", () => {
  const frames = Array.from({ length: 30 }, (_, at) => `\tat java.base/java.net.Some.step(Some.java:${at})`)
  const output = [
    'Downloading https://services.gradle.org/distributions/gradle-8.14.2-bin.zip',
    '',
    'Exception in thread "main" java.net.UnknownHostException: services.gradle.org',
    ...frames,
    '\t... 12 more',
    '',
  ].join('\n')
  expect(endOfSetupOutput(output)).not.toContain('at java.base')
  expect(registryTrouble(endOfSetupOutput(output))).toMatch(/^services\.gradle\.org, where Gradle's wrapper/)
})

test('other output keeps its last lines', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`)
  expect(endOfSetupOutput(lines.join('\n')).split('\n')).toEqual(lines.slice(-15))
})
