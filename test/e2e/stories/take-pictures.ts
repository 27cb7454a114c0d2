import { launch } from '../support/browser.ts'
import { pictures, Storyteller, widths } from './show.ts'
import { nameOf, stories } from './stories.ts'

/*
 * Takes pictures of every story whose name has the words of the command line, in both themes and three widths, and
 * prints their problems. Numbers among the words are widths to take instead.
 */
const asked = process.argv.slice(2)
const isWidth = (word: string): boolean => /^\d{3,4}$/.test(word)
const words = asked.filter((word) => !isWidth(word))
const own = asked.filter(isWidth).map(Number)
const wanted = stories.filter((story) => words.every((word) => nameOf(story).includes(word)))
const browser = await launch()
let wrong = 0
for (const width of own.length > 0 ? own : widths) {
  const teller = await Storyteller.start(browser, width)
  for (const story of wanted)
    for (const problem of await teller.tell(story)) {
      wrong++
      console.error(problem)
    }
  await teller.stop()
}
await browser.close()
console.log(`${wanted.length} stories, ${wrong} problems; the pictures are in ${pictures}`)
if (wrong > 0) process.exitCode = 1
