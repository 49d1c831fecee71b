export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Runs the contenders in turns, so that whatever the machine does hits them alike. The order is drawn
 * for each round, so that none always finds the heap as the same other has left it.
 */
export async function inTurns(rounds, contenders) {
  const results = Object.fromEntries(Object.keys(contenders).map(name => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffled(Object.keys(contenders))) {
      results[name].push(await contenders[name]())
    }
  }
  return results
}

function shuffled(items) {
  return items
    .map(item => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
