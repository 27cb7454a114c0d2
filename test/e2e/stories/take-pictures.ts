import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from '../support/browser.ts'
import { Storyteller } from './show.ts'
import { nameOf, stories } from './stories.ts'

/* A picture of every story whose name has the words of the command line, in both themes and two widths. */
const words = process.argv.slice(2)
const folder = join(import.meta.dirname, '..', '..', '..', 'test-results', 'stories')
const sizes = { 1440: { width: 1440, height: 900 }, 320: { width: 320, height: 900 } }

mkdirSync(folder, { recursive: true })
const wanted = stories.filter((story) => words.every((word) => nameOf(story).includes(word)))
const [teller, browser] = await Promise.all([Storyteller.start(), launch()])
let missing = 0
for (const story of wanted)
  for (const [width, size] of Object.entries(sizes))
    for (const scheme of ['light', 'dark'] as const) {
      const name = `${nameOf(story)}-${width}-${scheme}`
      try {
        const path = join(folder, `${name}.png`)
        const problems = await teller.tell(browser, story, { size, scheme }, (page) => page.screenshot({ path }))
        if (problems.length > 0) console.error(`${name}: ${problems.join('; ')}`)
      } catch (error) {
        missing++
        console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
await Promise.all([teller.stop(), browser.close()])
console.log(`${wanted.length * 4 - missing} pictures are in ${folder}`)
if (missing > 0) process.exitCode = 1
