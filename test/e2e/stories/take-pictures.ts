import { launch } from '../support/browser.ts'
import { pictures, Storyteller, widths } from './show.ts'
import { nameOf, stories } from './stories.ts'

/* Pictures of every story whose name has the words of the command line, in both themes and two widths. */
const words = process.argv.slice(2)
const wanted = stories.filter((story) => words.every((word) => nameOf(story).includes(word)))
const browser = await launch()
let missing = 0
for (const width of widths) {
  const teller = await Storyteller.start(browser, width)
  for (const story of wanted) {
    const name = `${nameOf(story)}, ${width}`
    try {
      const problems = await teller.tell(story, async () => {})
      if (problems.length > 0) console.error(`${name}: ${problems.join('; ')}`)
    } catch (error) {
      missing++
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await teller.stop()
}
await browser.close()
console.log(`${wanted.length * 2 - missing} of ${wanted.length * 2} pairs of pictures are in ${pictures}`)
if (missing > 0) process.exitCode = 1
