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
	Access     Access   `yaml:"access" doc:"Who may talk to it. open: everyone. allowlist: those in allow_users. pairing: those in allow_users, and whoever is let in with aside pairing. If nobody says so it is allowlist where allow_users names people, and open elsewhere."`
	AllowUsers []string `yaml:"allow_users" doc:"Ids of the people who may talk to it. See access."`
	Rooms      []string `yaml:"rooms" doc:"Ids of the rooms it is in, with their threads and posts; none is every room it can see."`
}

type Telegram struct {
	Token         Secret   `yaml:"token" filled:"true" doc:"The bot's token."`
	APIURL        URL      `yaml:"api_url" schemes:"https,http" doc:"Where the API is, if not at Telegram."`
	Access        Access   `yaml:"access" doc:"Who may talk to it. open: everyone. allowlist: those in allow_users. pairing: those in allow_users, and whoever is let in with aside pairing. If nobody says so it is allowlist where allow_users names people, and open elsewhere."`
	AllowUsers    []string `yaml:"allow_users" doc:"Ids or @usernames of the people who may talk to it. See access."`
	Rooms         []string `yaml:"rooms" doc:"Ids of the groups it is in, with their topics; none is every group. Direct chats are not among them."`
	WebhookURL    URL      `yaml:"webhook_url" schemes:"https,http" doc:"Where Telegram can reach /hooks/telegram at listen, as in https://bot.example.org/hooks/telegram. Without it Aside asks Telegram for updates."`
	WebhookSecret Secret   `yaml:"webhook_secret" doc:"What Telegram has to present there: 16 characters or more, letters, digits, _ and -."`
}

type Slack struct {
	BotToken      Secret   `yaml:"bot_token" filled:"true" doc:"The bot's token, xoxb-…"`
	AppToken      Secret   `yaml:"app_token" doc:"The app-level token, xapp-…, for Socket Mode. Needed without signing_secret."`
	SigningSecret Secret   `yaml:"signing_secret" doc:"What Slack signs its requests with, which then come to /hooks/slack. Needed without app_token."`
	APIURL        URL      `yaml:"api_url" schemes:"https,http" doc:"Where the API is, if not at Slack."`
	Access        Access   `yaml:"access" doc:"Who may talk to it. open: everyone. allowlist: those in allow_users. pairing: those in allow_users, and whoever is let in with aside pairing. If nobody says so it is allowlist where allow_users names people, and open elsewhere."`
	AllowUsers    []string `yaml:"allow_users" doc:"Ids of the people who may talk to it. See access."`
	Rooms         []string `yaml:"rooms" doc:"Ids of the channels it is in, with their threads; none is every channel. Direct chats are not among them."`
}

type WhatsApp struct {
	Kind          WhatsAppKind `yaml:"kind" default:"cloud" doc:"cloud: a business number through the Cloud API. personal: an own number, paired like a second device."`
	PhoneNumberID string       `yaml:"phone_number_id" doc:"The number's id at the Cloud API. Needed for cloud."`
	Token         Secret       `yaml:"token" doc:"The access token. Needed for cloud."`
	AppSecret     Secret       `yaml:"app_secret" doc:"What the Cloud API signs its webhooks with. Needed for cloud."`
	VerifyToken   Secret       `yaml:"verify_token" doc:"What the Cloud API presents when the webhook is registered. Needed for cloud."`
	APIURL        URL          `yaml:"api_url" schemes:"https,http" doc:"Where the Cloud API is, if not at Meta."`
	Access        Access       `yaml:"access" doc:"Who may talk to it. open: everyone. allowlist: those in allow_users. pairing: those in allow_users, and whoever is let in with aside pairing. If nobody says so it is allowlist where allow_users names people, and open elsewhere."`
	AllowUsers    []string     `yaml:"allow_users" doc:"Numbers of the people who may talk to it. See access."`
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
	Access     Access   `yaml:"access" doc:"Who may talk to it. open: everyone. allowlist: those in allow_users. pairing: those in allow_users, and whoever is let in with aside pairing. If nobody says so it is allowlist where allow_users names people, and open elsewhere."`
	AllowUsers []string `yaml:"allow_users" doc:"Numbers of the people who may talk to it. See access."`
}

type Web struct{}

// Rooms are those that the agent is in on a platform; none is every room.
func (p Platforms) Rooms(platform string) []string {
	switch {
	case platform == "discord" && p.Discord != nil:
		return p.Discord.Rooms
	case platform == "telegram" && p.Telegram != nil:
		return p.Telegram.Rooms
	case platform == "slack" && p.Slack != nil:
		return p.Slack.Rooms
	}
	return nil
}

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
