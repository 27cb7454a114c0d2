/** Takes one of these texts and returns true, while one is left: a text that is there twice can be taken twice. */
export function takeOnce(all: readonly string[]): (text: string) => boolean {
  const counts = new Map<string, number>()
  for (const text of all) counts.set(text, (counts.get(text) ?? 0) + 1)
  return (text) => {
    const times = counts.get(text) ?? 0
    if (times > 0) counts.set(text, times - 1)
    return times > 0
  }
}
