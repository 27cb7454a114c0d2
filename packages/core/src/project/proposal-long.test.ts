// @suite unit-long

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseProjectConfig } from './project-config.ts'
import { filesOf } from '../testing/sample-repository.ts'
import { look } from '../environment/look.ts'
import { proposalFor, type Proposal } from './proposal.ts'

const proposal = (files: Record<string, string>): Proposal => proposalFor(look(filesOf(files)))

test('whatever a repository says, the proposal is a valid beadloom.json', () => {
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
