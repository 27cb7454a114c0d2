import { launch } from '../support/browser.ts'
import { pictures, Storyteller, widths } from './show.ts'
import { nameOf, stories } from './stories.ts'

/* Pictures of every story whose name has the words of the command line, in both themes and two widths; what is wrong
 * with them is printed. */
const words = process.argv.slice(2)
const wanted = stories.filter((story) => words.every((word) => nameOf(story).includes(word)))
const browser = await launch()
let wrong = 0
for (const width of widths) {
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
