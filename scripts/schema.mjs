// `node scripts/schema.mjs` writes docs/beadloom.schema.json, for editors, from the schema that the server validates
// with (packages/core/src/project/project-config-schema.ts). `--check` only reports whether the file is up to date.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { main, node24, root, say, Stop } from './run.mjs'

const file = join(root, 'docs', 'beadloom.schema.json')

async function schema() {
  const fromCore = createRequire(join(root, 'packages', 'core', 'package.json'))
  const { z } = await import(pathToFileURL(fromCore.resolve('zod/mini')).href)
  const { ProjectConfig } = await import(
    pathToFileURL(join(root, 'packages/core/src/project/project-config-schema.ts')).href
  )
  const { settingWords } = await import(
    pathToFileURL(join(root, 'packages/core/src/project/project-config-words.ts')).href
  )
  const { $schema, ...made } = z.toJSONSchema(ProjectConfig)
  const unused = new Set(Object.keys(settingWords))
  describe(made, '', settingWords, unused)
  if (unused.size > 0)
    throw new Stop(`project-config-words.ts describes keys that do not exist: ${[...unused].join(', ')}`)
  return {
    $schema,
    title: 'beadloom.json',
    description: 'Settings of a project, read from its base branch. Every key is optional.',
    ...made,
  }
}

/** Puts the texts into `node`, which is changed. A key without a text, or a text without a key, is an error. */
function describe(node, path, words, unused) {
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const key = path === '' ? name : `${path}.${name}`
    if (!(key in words)) throw new Stop(`project-config-words.ts has no description of "${key}": add one.`)
    unused.delete(key)
    child.description = words[key]
    describe(child, key, words, unused)
  }
  for (const one of node.anyOf ?? []) describe(one, path, words, unused)
  if (typeof node.additionalProperties === 'object') describe(node.additionalProperties, `${path}.*`, words, unused)
  if (typeof node.items === 'object') describe(node.items, `${path}.*`, words, unused)
}

await main(async () => {
  // The schema is TypeScript, which Node runs directly from version 24 on.
  if (Number(process.versions.node.split('.')[0]) < 24) {
    if (!existsSync(node24)) throw new Stop('Beadloom is not set up yet: run npm start once.')
    process.exitCode = spawnSync(node24, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1
    return
  }
  const wanted = `${JSON.stringify(await schema(), null, 2)}\n`
  const found = existsSync(file) ? readFileSync(file, 'utf8') : null
  if (found === wanted) return say('docs/beadloom.schema.json is up to date.')
  if (process.argv.includes('--check'))
    throw new Stop('docs/beadloom.schema.json is out of date: run node scripts/schema.mjs')
  writeFileSync(file, wanted)
  say('docs/beadloom.schema.json written.')
})
