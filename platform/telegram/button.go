package telegram

// keyboard is a row of buttons. What is pressed comes back as it stands on the button.
func keyboard(choices []string) params {
	var row []params
	for _, c := range choices {
		row = append(row, params{"text": c, "callback_data": c})
	}
	return params{"inline_keyboard": [][]params{row}}
}
