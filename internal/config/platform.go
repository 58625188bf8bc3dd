package config

import "reflect"

// Platforms are where the agent can be talked to; one that is nil does not run.
type Platforms struct {
	Discord  *Discord  `yaml:"discord" doc:"A Discord bot."`
	Telegram *Telegram `yaml:"telegram" doc:"A Telegram bot."`
	Slack    *Slack    `yaml:"slack" doc:"A Slack app, in Socket Mode or over HTTP."`
	WhatsApp *WhatsApp `yaml:"whatsapp" doc:"A WhatsApp number."`
	Signal   *Signal   `yaml:"signal" doc:"A Signal account, through the JSON-RPC daemon of signal-cli."`
	Web      *Web      `yaml:"web" doc:"The web page at listen. It has no keys: web: {}."`
}

type Discord struct {
	Token      Secret   `yaml:"token" filled:"true" doc:"The bot's token."`
	APIURL     URL      `yaml:"api_url" schemes:"https,http" doc:"Where the API is, if not at Discord."`
	GatewayURL URL      `yaml:"gateway_url" schemes:"wss,ws" doc:"Where the gateway is, if not at Discord."`
	AllowUsers []string `yaml:"allow_users" doc:"Ids of the people who may talk to it; none is everyone."`
	Rooms      []string `yaml:"rooms" doc:"Ids of the rooms it is in; none is every room it can see."`
}

type Telegram struct {
	Token      Secret   `yaml:"token" filled:"true" doc:"The bot's token."`
	APIURL     URL      `yaml:"api_url" schemes:"https,http" doc:"Where the API is, if not at Telegram."`
	AllowUsers []string `yaml:"allow_users" doc:"Ids of the people who may talk to it; none is everyone."`
}

type Slack struct {
	BotToken      Secret   `yaml:"bot_token" filled:"true" doc:"The bot's token, xoxb-…"`
	AppToken      Secret   `yaml:"app_token" doc:"The app-level token, xapp-…, for Socket Mode. Needed without signing_secret."`
	SigningSecret Secret   `yaml:"signing_secret" doc:"What Slack signs its requests with, which then come to /hooks/slack. Needed without app_token."`
	APIURL        URL      `yaml:"api_url" schemes:"https,http" doc:"Where the API is, if not at Slack."`
	AllowUsers    []string `yaml:"allow_users" doc:"Ids of the people who may talk to it; none is everyone."`
	Rooms         []string `yaml:"rooms" doc:"Ids of the channels it is in, with their threads; none is every channel it was invited to."`
}

type WhatsApp struct {
	Kind          WhatsAppKind `yaml:"kind" default:"cloud" doc:"cloud: a business number through the Cloud API. personal: an own number, paired like a second device."`
	PhoneNumberID string       `yaml:"phone_number_id" doc:"The number's id at the Cloud API. Needed for cloud."`
	Token         Secret       `yaml:"token" doc:"The access token. Needed for cloud."`
	AppSecret     Secret       `yaml:"app_secret" doc:"What the Cloud API signs its webhooks with. Needed for cloud."`
	VerifyToken   Secret       `yaml:"verify_token" doc:"What the Cloud API presents when the webhook is registered. Needed for cloud."`
	APIURL        URL          `yaml:"api_url" schemes:"https,http" doc:"Where the Cloud API is, if not at Meta."`
	AllowUsers    []string     `yaml:"allow_users" doc:"Numbers of the people who may talk to it; none is everyone."`
}

// A WhatsAppKind is the way to a WhatsApp number.
type WhatsAppKind string

const (
	WhatsAppCloud    WhatsAppKind = "cloud"
	WhatsAppPersonal WhatsAppKind = "personal"
)

func (WhatsAppKind) names() []string {
	return []string{string(WhatsAppCloud), string(WhatsAppPersonal)}
}

type Signal struct {
	RPC        URL      `yaml:"rpc" default:"http://127.0.0.1:8080" schemes:"http,https" doc:"Where the daemon listens."`
	Account    string   `yaml:"account" filled:"true" doc:"The number of the account, as in +15550100."`
	AllowUsers []string `yaml:"allow_users" doc:"Numbers of the people who may talk to it; none is everyone."`
}

type Web struct{}

// Names are the platforms that are configured.
func (p Platforms) Names() []string {
	var names []string
	v := reflect.ValueOf(p)
	for _, k := range keysOf(v.Type()) {
		if !v.FieldByIndex(k.index).IsNil() {
			names = append(names, k.name)
		}
	}
	return names
}
