package telegram

import "slices"

// inRow is how many buttons stand beside each other.
const inRow = 8

// keyboard are rows of buttons. What is pressed comes back as it stands on the button.
func keyboard(choices []string) params {
	var rows [][]params
	for some := range slices.Chunk(choices, inRow) {
		var row []params
		for _, c := range some {
			row = append(row, params{"text": c, "callback_data": c})
		}
		rows = append(rows, row)
	}
	return params{"inline_keyboard": rows}
}
